/**
 * The implementations of the stores in Elasticsearch, and the client for it. Begin with {@link org.treerename.elastic.ElasticJournal}, which also
 * acquires locks, and {@link org.treerename.elastic.ElasticTreeStore}.
 */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
