/** Small programs that show how other programs use tree rename. */
@NullMarked
package org.treerename.examples;

import org.jspecify.annotations.NullMarked;
