package org.treerename.trace;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.TraceContext;

/**
 * The trace in which a thread is. For those who need not have OpenTelemetry's API on their class path, too: without it there is
 * none. Any thread may call it.
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

    /** Of this thread; empty if it is in none. */
    public static Optional<TraceContext> get() {
        return IS_KNOWN ? W3c.current() : Optional.empty();
    }

    /** Runs it in this trace, whose thread another one was: who traces the call finds the right parent. */
    public static void within(@Nullable TraceContext trace, Runnable call) {
        if (IS_KNOWN && trace != null) {
            W3c.within(trace, call);
        } else {
            call.run();
        }
    }
}
