/**
 * A simulated Elasticsearch that implements the ports. It has documents with sequence numbers and primary terms in shards. It
 * applies the items of a request one after the other, and searches see only refreshed documents. The {@link
 * org.treerename.simulation.elasticsearch.Wire} transports requests and answers. Depends on no clock, no thread and no
 * particular caller.
 */
@NullMarked
package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.NullMarked;
