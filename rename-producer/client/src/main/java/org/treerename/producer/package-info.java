/**
 * Sends requests for renames and waits for their outcomes. This package uses Kafka and the format of requests and
 * outcomes. The package acquires no locks, does not use the command line, and does not configure logging. Only {@link
 * org.treerename.producer.TreeReader} uses Elasticsearch.
 */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
