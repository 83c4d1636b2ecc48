/**
 * Process ids, leases, process documents, heartbeats, and the context of a process. This package does not depend on
 * renames. Begin with {@link org.treerename.process.Heartbeat}.
 */
@NullMarked
package org.treerename.process;

import org.jspecify.annotations.NullMarked;
