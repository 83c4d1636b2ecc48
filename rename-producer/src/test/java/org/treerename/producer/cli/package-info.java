/** Tests of the command line, as its users see it: arguments in, text and exit code out. */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
