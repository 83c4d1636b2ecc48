package org.treerename.rename;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in somebody's trace a request stands, as W3C's Trace Context writes it into headers. It says nothing of what is asked.
 *
 * @param traceparent version, trace id, the parent's span id and flags
 * @param tracestate what the tracing systems on the way have added; null if nothing
 * @see <a href="https://www.w3.org/TR/trace-context/">Trace Context</a>
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {

    /** The names of the headers. */
    public static final String PARENT = "traceparent";

    public static final String STATE = "tracestate";

    /** Characters of a tracestate that is kept; a longer one is left out, as W3C allows. */
    static final int LONGEST_STATE = 512;

    private static final Pattern WELL_FORMED = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]{1," + LONGEST_STATE + "}");

    public TraceContext {
        if (!WELL_FORMED.matcher(traceparent).matches()) {
            throw new IllegalArgumentException("no traceparent: " + traceparent);
        }
        if (tracestate != null && !PRINTABLE.matcher(tracestate).matches()) {
            throw new IllegalArgumentException("no tracestate: " + tracestate);
        }
    }

    /** What two headers say. Malformed is as good as none: nobody's rename fails for it. */
    public static Optional<TraceContext> of(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent == null || !WELL_FORMED.matcher(traceparent).matches()) {
            return Optional.empty();
        }
        boolean usable = tracestate != null && PRINTABLE.matcher(tracestate).matches();
        return Optional.of(new TraceContext(traceparent, usable ? tracestate : null));
    }
}
