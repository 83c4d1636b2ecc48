/** Tests of the command lines, the gateway, the console, health and security on real servers. */
@NullMarked
package org.treerename.endtoend;

import org.jspecify.annotations.NullMarked;
