/**
 * Points at which a process can be made to die or to freeze, and decorators of the stores that detect when a point is reached. They are
 * for tests and the local stack only. The decorated packages do not depend on this package.
 */
@NullMarked
package org.treerename.crash;

import org.jspecify.annotations.NullMarked;
