/** Tests of the local stack and its scripts. Most of them need no server. */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
