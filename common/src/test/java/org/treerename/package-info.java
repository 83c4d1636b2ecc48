/** Tests of the dependencies between the packages. */
@NullMarked
package org.treerename;

import org.jspecify.annotations.NullMarked;
