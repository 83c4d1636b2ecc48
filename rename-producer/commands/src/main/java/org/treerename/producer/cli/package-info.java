/**
 * The command line {@code rename}: it reads options, prints a result and returns an exit code. Each subcommand is a
 * class that {@link org.treerename.producer.cli.Main} registers. Subcommands that read a tree share the options of
 * {@link org.treerename.producer.cli.TreeCommand}. Subcommands for one request share the options of {@link
 * org.treerename.producer.cli.RequestCommand}. For dry runs, and to read the journal and trees, the package uses the
 * client of Elasticsearch. The package does not use the client of Kafka, but passes settings for this client to the
 * library.
 */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
