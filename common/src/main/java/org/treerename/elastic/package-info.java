/**
 * The implementations of the stores in Elasticsearch, and the client of Elasticsearch. Begin with {@link
 * org.treerename.elastic.ElasticJournal}, which also acquires locks, and {@link
 * org.treerename.elastic.ElasticTreeStore}. {@link org.treerename.elastic.Elastic} calls the typed client. {@link
 * org.treerename.elastic.RawRequests} says which requests the typed client does not send, and why.
 */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
