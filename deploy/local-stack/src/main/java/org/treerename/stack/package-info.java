/**
 * Starts Elasticsearch and Kafka as child processes, from artifacts of Maven Central only. Its child processes of any kind end with their parent.
 * This package does not know renames.
 */
@NullMarked
package org.treerename.stack;

import org.jspecify.annotations.NullMarked;
