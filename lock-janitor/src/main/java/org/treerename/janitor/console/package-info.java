/**
 * The console: a web page that shows the state of the system. An operator who has a token can also request {@linkplain
 * org.treerename.janitor.console.Operator actions}. Only {@link org.treerename.janitor.console.Console} depends on the
 * client of Elasticsearch. Only {@link org.treerename.janitor.console.Console} and {@link
 * org.treerename.janitor.console.DeadLetterReader} depend on the client of Kafka. The other classes read the control
 * index through interfaces, for example of the package {@code overview}.
 */
@NullMarked
package org.treerename.janitor.console;

import org.jspecify.annotations.NullMarked;
