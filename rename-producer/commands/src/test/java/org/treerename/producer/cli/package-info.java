/** Tests of the command line as its users see it: a test passes arguments and checks the text and the exit code. */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
