/** Input that nobody would send on purpose, or only to do harm. */
@NullMarked
package org.treerename.fuzz;

import org.jspecify.annotations.NullMarked;
