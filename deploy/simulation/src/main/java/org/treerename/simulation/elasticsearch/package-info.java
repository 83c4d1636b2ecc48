/**
 * A simulated Elasticsearch behind the ports: documents with sequence numbers and primary terms, shard by shard, one item of
 * a request after the other, with searches that see what was refreshed. How requests get there and back is the {@link
 * org.treerename.simulation.elasticsearch.Wire}'s. Knows nothing of clocks, of threads or of who calls.
 */
@NullMarked
package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.NullMarked;
