/**
 * Renames as spans of OpenTelemetry, which continue the traces in which they were asked. Only its API is used: what becomes of a
 * span is up to the agent, or to whom the process's user has put there; without one a span is nothing, and the trace in which a
 * request was asked goes on to its outcome as it came. The ports are decorated; the rooms that are decorated know nothing of it.
 */
@NullMarked
package org.treerename.trace;

import org.jspecify.annotations.NullMarked;
