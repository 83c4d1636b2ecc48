/**
 * The commands for one machine. They start and stop the whole system, index a real directory tree, and verify renames
 * and the protocol. No other module uses the classes of this module.
 */
@NullMarked
package org.treerename.local;

import org.jspecify.annotations.NullMarked;
