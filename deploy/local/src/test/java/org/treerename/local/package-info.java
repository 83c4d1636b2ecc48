/** The parts of the commands that need no server. */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
