/**
 * Points at which a test can make a process die or freeze. Decorators of the stores detect when a point is reached. The
 * packages of the stores do not depend on this package.
 */
@NullMarked
package org.treerename.crash;

import org.jspecify.annotations.NullMarked;
