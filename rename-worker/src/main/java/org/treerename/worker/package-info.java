/**
 * The worker: reads requests from Kafka, runs renames, and publishes outcomes to Kafka. {@link
 * org.treerename.worker.Main} connects the worker to Kafka and Elasticsearch.
 */
@NullMarked
package org.treerename.worker;

import org.jspecify.annotations.NullMarked;
