/**
 * The observation of running renames: metrics, traces, reports of progress, and the context of log lines. Decorators of
 * the stores observe the renames; the packages of the stores do not depend on this package.
 *
 * <p>Micrometer collects the metrics and shows them in Prometheus' format. The OpenTelemetry spans of a rename belong
 * to the trace of its request. This package uses only OpenTelemetry's API. An agent, or another implementation that the
 * user installs, exports the spans. Without an agent or another implementation, no span is recorded, and the trace
 * context of a request is copied unchanged to its outcome.
 */
@NullMarked
package org.treerename.observe;

import org.jspecify.annotations.NullMarked;
