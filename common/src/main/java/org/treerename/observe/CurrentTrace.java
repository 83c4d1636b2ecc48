package org.treerename.observe;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.request.TraceContext;

/**
 * The trace context of the current thread. Without OpenTelemetry's API on the class path, {@link #get} returns empty,
 * and {@link #within} only runs the call.
 */
public final class CurrentTrace {

    private static final boolean IS_KNOWN = isKnown();

    private CurrentTrace() {}

    private static boolean isKnown() {
        try {
            Class.forName("io.opentelemetry.context.Context", false, CurrentTrace.class.getClassLoader());
            Class.forName("io.opentelemetry.api.trace.Span", false, CurrentTrace.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns the trace context of this thread; empty if there is none. */
    public static Optional<TraceContext> get() {
        return IS_KNOWN ? W3c.current() : Optional.empty();
    }

    /**
     * Runs a call in a trace that began on another thread. The spans that a tracing agent records during the call
     * belong to this trace.
     */
    public static void within(@Nullable TraceContext trace, Runnable call) {
        if (IS_KNOWN && trace != null) {
            W3c.within(trace, call);
        } else {
            call.run();
        }
    }
}
