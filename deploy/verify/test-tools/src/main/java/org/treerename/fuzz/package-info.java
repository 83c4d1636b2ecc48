/** Malformed input for fuzz tests. */
@NullMarked
package org.treerename.fuzz;

import org.jspecify.annotations.NullMarked;
