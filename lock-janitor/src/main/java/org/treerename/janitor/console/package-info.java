/**
 * The console: a web page that shows the state of the system. With a token, an operator may also {@linkplain
 * org.treerename.janitor.console.Operator act}. Only {@link org.treerename.janitor.console.Console} depends on the
 * client of Elasticsearch, and only {@link org.treerename.janitor.console.Console} and {@link
 * org.treerename.janitor.console.DeadLetterReader} depend on the client of Kafka. The views read through the interfaces
 * of the package {@code overview}.
 */
@NullMarked
package org.treerename.janitor.console;

import org.jspecify.annotations.NullMarked;
