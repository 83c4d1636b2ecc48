/** Paths and their notation. This package uses no other package of the project. */
@NullMarked
package org.treerename.path;

import org.jspecify.annotations.NullMarked;
