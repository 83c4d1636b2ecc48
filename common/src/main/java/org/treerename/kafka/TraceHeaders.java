package org.treerename.kafka;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.treerename.request.TraceContext;

/**
 * The trace context of a record, in the headers of W3C Trace Context. If a tracing agent instruments Kafka's client,
 * the agent replaces these headers when the client sends the record.
 */
public final class TraceHeaders {

    private TraceHeaders() {}

    /** Returns the trace context in these headers. If a header occurs twice, the last value is used. */
    static Optional<TraceContext> in(Headers headers) {
        return TraceContext.of(text(headers, TraceContext.PARENT), text(headers, TraceContext.STATE));
    }

    /** Returns these headers and, if there is a trace, the headers of the trace. */
    public static List<Header> and(List<Header> headers, @Nullable TraceContext trace) {
        if (trace == null) {
            return headers;
        }
        List<Header> all = new ArrayList<>(headers);
        all.add(header(TraceContext.PARENT, trace.traceparent()));
        if (trace.tracestate() != null) {
            all.add(header(TraceContext.STATE, trace.tracestate()));
        }
        return all;
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.US_ASCII));
    }

    private static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        byte @Nullable [] value = header == null ? null : header.value();
        return value == null ? null : new String(value, StandardCharsets.US_ASCII);
    }
}
