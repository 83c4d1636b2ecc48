package org.treerename.observe;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.request.TraceContext;

/** Converts between OpenTelemetry's context and W3C Trace Context. Needs OpenTelemetry's API. */
final class W3c {

    private static final W3CTraceContextPropagator PROPAGATOR = W3CTraceContextPropagator.getInstance();

    private W3c() {}

    static Optional<TraceContext> current() {
        Map<String, String> headers = new HashMap<>();
        PROPAGATOR.inject(Context.current(), headers, (map, key, value) -> {
            if (map != null) {
                map.put(key, value);
            }
        });
        return TraceContext.of(headers.get(TraceContext.PARENT), headers.get(TraceContext.STATE));
    }

    /**
     * Returns the context of a trace. Without a trace, returns the root context. The result never contains the current
     * span of this thread.
     */
    static Context of(@Nullable TraceContext trace) {
        return trace == null ? Context.root() : PROPAGATOR.extract(Context.root(), trace, W3c::header);
    }

    static void within(TraceContext trace, Runnable call) {
        try (Scope scope = of(trace).makeCurrent()) {
            call.run();
        }
    }

    private static @Nullable String header(@Nullable TraceContext trace, String name) {
        if (trace == null) {
            return null;
        }
        return name.equals(TraceContext.PARENT) ? trace.traceparent() : trace.tracestate();
    }
}
