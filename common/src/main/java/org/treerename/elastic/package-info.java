/**
 * The implementations of the stores in Elasticsearch, and the client of Elasticsearch. Begin with {@link
 * org.treerename.elastic.ElasticJournal} and {@link org.treerename.elastic.ElasticTreeStore}. {@code ElasticJournal}
 * also acquires locks. {@link org.treerename.elastic.Elastic} calls the typed client. {@link
 * org.treerename.elastic.RawRequests} lists the requests that the typed client does not send, and the reasons.
 */
@NullMarked
package org.treerename.elastic;

import org.jspecify.annotations.NullMarked;
