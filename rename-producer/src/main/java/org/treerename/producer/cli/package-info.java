/**
 * The command line of {@code rename}: flags in, one line and an exit code out. The only package here that knows picocli
 * and Logback and, for dry runs and for what the journal is asked, the client of Elasticsearch; it knows nothing of Kafka but its addresses.
 */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
