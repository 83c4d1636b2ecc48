/**
 * The observation of running renames: metrics, traces, reports of progress, and the context of log lines. Decorators of
 * the stores observe the renames; the decorated packages do not depend on this package.
 *
 * <p>Metrics are in Micrometer's terms, for Prometheus. Traces continue the traces of the requests as OpenTelemetry
 * spans. Only OpenTelemetry's API is used. An agent, or another implementation that the user installs, exports the
 * spans. Without an agent or another implementation, nothing is recorded, and the trace context of a request is copied
 * unchanged to its outcome.
 */
@NullMarked
package org.treerename.observe;

import org.jspecify.annotations.NullMarked;
