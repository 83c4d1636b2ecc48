/**
 * Publishing renames and waiting for their outcomes: the library. Knows Kafka and the wire form, and nothing of
 * Elasticsearch, locks, the command line or the logging that its user chose.
 */
@NullMarked
package org.treerename.producer;

import org.jspecify.annotations.NullMarked;
