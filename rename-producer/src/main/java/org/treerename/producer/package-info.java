/**
 * The library that sends renames and waits for their outcomes. It uses Kafka and the wire format. It does not use
 * locks or the command line, and it does not configure logging. Only {@link org.treerename.producer.TreeReader} uses
 * Elasticsearch.
 */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
