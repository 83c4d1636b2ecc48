/**
 * The command line {@code rename}: it reads options, prints a result and returns an exit code. Only this package uses
 * picocli and Logback. For dry runs, the journal and the reading of trees it uses the client of Elasticsearch. It
 * does not use the client of Kafka; it only passes on the settings for it.
 */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
