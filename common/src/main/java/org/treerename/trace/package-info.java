/**
 * Renames as OpenTelemetry spans, which continue the traces of their requests. Only OpenTelemetry's API is used. An
 * agent, or another implementation that the user installs, exports the spans. Without an agent or another
 * implementation, nothing is recorded. The trace context of a request is then copied unchanged to its outcome.
 * Decorators of the stores create the spans; the decorated packages do not depend on this package.
 */
@NullMarked
package org.treerename.trace;

import org.jspecify.annotations.NullMarked;
