/** Process ids, leases, process documents and heartbeats. Knows nothing of renames. */
@NullMarked
package org.treerename.process;

import org.jspecify.annotations.NullMarked;
