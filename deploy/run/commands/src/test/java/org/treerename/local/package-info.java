/** Tests of the local stack and its scripts. Most tests need no server. */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
