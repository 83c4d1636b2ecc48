/**
 * Places at which a process can be made to die or to freeze, and the stores' decorators that know when one is reached. For
 * tests and the local stack only; the rooms that are decorated know nothing of it.
 */
@NullMarked
package org.treerename.crash;

import org.jspecify.annotations.NullMarked;
