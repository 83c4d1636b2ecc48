/** The command line of the producer as a process of its own. */
@NullMarked
package org.treerename.producer.cli;

import org.jspecify.annotations.NullMarked;
