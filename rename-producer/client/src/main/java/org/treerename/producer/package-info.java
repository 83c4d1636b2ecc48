/**
 * The library that sends renames and waits for their outcomes. The library uses Kafka and the wire format. It acquires
 * no locks, does not use the command line, and does not configure logging. Only {@link
 * org.treerename.producer.TreeReader} uses Elasticsearch.
 */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
