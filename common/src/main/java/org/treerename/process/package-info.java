/** Process ids, leases, process documents and heartbeats. This package does not know renames. */
@NullMarked
package org.treerename.process;

import org.jspecify.annotations.NullMarked;
