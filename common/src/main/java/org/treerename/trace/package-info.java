/**
 * Renames as OpenTelemetry spans, which continue the traces of their requests. Only OpenTelemetry's API is used. An agent, or another
 * implementation that the user installs, exports the spans. Without one, nothing is recorded, and the trace context of a request is
 * copied to its outcome unchanged. Decorators of the stores create the spans; the decorated packages do not depend on this package.
 */
@NullMarked
package org.treerename.trace;

import org.jspecify.annotations.NullMarked;
