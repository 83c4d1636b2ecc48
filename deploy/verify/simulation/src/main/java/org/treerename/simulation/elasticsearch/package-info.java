/**
 * A simulated Elasticsearch that implements the stores of the product. Its shards contain documents with sequence
 * numbers and primary terms. The items of a request are applied one after the other. Searches see only refreshed
 * documents. The {@link org.treerename.simulation.elasticsearch.Wire} transports requests and answers. This package
 * does not depend on clocks, threads or a particular caller.
 */
@NullMarked
package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.NullMarked;
