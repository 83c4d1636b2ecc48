/**
 * The console: a web page for people, with what goes on and, with a token, the few things that one may do about it. Only
 * {@link org.treerename.janitor.console.Console} names Elasticsearch, and {@link org.treerename.janitor.console.DeadLetterReader} Kafka: what
 * is shown is read by the ports of {@code overview}.
 */
@NullMarked
package org.treerename.janitor.console;

import org.jspecify.annotations.NullMarked;
