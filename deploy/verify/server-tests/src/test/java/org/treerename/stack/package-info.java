/** Tests of the local stack: its servers start, restart, and end with the process that started them. */
@NullMarked
package org.treerename.stack;

import org.jspecify.annotations.NullMarked;
