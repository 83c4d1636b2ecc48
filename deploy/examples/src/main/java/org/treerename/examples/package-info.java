/** Small programs that show how others work with tree rename. */
@NullMarked
package org.treerename.examples;

import org.jspecify.annotations.NullMarked;
