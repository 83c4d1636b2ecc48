/**
 * Process ids, leases, process documents, heartbeats, and the context of a process. This package does not know renames. Begin
 * with {@link org.treerename.process.Heartbeat} and {@link org.treerename.process.DeathWatch}.
 */
@NullMarked
package org.treerename.process;

import org.jspecify.annotations.NullMarked;
