/**
 * The worker: reads requests from Kafka, runs renames, and publishes outcomes to Kafka. It uses all packages of common. Only Main
 * names Elasticsearch.
 */
@NullMarked
package org.treerename.worker;

import org.jspecify.annotations.NullMarked;
