/** What goes on, for people to look at: processes, renames, locks. It reads and never writes; nothing is decided by it. */
@NullMarked
package org.treerename.overview;

import org.jspecify.annotations.NullMarked;
