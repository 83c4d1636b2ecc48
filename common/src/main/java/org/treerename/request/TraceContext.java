package org.treerename.request;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The position of a request in a distributed trace, in the format of the headers of W3C's Trace Context. A trace
 * context is not part of the content of a request.
 *
 * @param traceparent the version, the trace id, the parent's span id and the flags
 * @param tracestate the data that tracing systems have added; null if there is none
 * @see <a href="https://www.w3.org/TR/trace-context/">Trace Context</a>
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {

    /** The name of the header with the traceparent. */
    public static final String PARENT = "traceparent";
    /** The name of the header with the tracestate. */
    public static final String STATE = "tracestate";

    /** The maximum number of characters of a tracestate. A longer tracestate is left out, as W3C allows. */
    static final int LONGEST_STATE = 512;

    private static final Pattern WELL_FORMED = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]{1," + LONGEST_STATE + "}");

    public TraceContext {
        if (!WELL_FORMED.matcher(traceparent).matches()) {
            throw new IllegalArgumentException(
                    "traceparent must have the format of a W3C traceparent, found " + traceparent);
        }
        if (tracestate != null && !PRINTABLE.matcher(tracestate).matches()) {
            throw new IllegalArgumentException(
                    "tracestate must be 1 to " + LONGEST_STATE + " printable ASCII characters, found " + tracestate);
        }
    }

    /**
     * Returns the trace context that two headers contain. Returns empty if the traceparent is missing or malformed.
     * Leaves out a malformed tracestate. So a rename never fails because of a malformed header.
     */
    public static Optional<TraceContext> of(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent == null || !WELL_FORMED.matcher(traceparent).matches()) {
            return Optional.empty();
        }
        boolean usable = tracestate != null && PRINTABLE.matcher(tracestate).matches();
        return Optional.of(new TraceContext(traceparent, usable ? tracestate : null));
    }
}
