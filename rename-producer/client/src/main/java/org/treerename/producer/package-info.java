/**
 * Sends requests for renames and waits for their outcomes. This package writes requests to Kafka, and reads outcomes
 * from Kafka. The package acquires no locks, does not use the command line, and does not configure logging. Only {@link
 * org.treerename.producer.TreeReader} uses Elasticsearch.
 */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
