package org.treerename.kafka;

import org.treerename.path.Notation;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * The key of a request's record. Kafka selects the partition by the key, so Kafka delivers requests with the same key
 * in order. The key consists of the namespace and the first segments of the source. For example, if the key contains
 * one segment, the key for the source {@code /a/b} in the namespace {@code files} is {@code files/a}. If the separator
 * is a dot, the key for the source {@code a.b} is {@code files.a}.
 */
public final class RequestKey {

    /** The default number of segments in the key. */
    public static final int DEFAULT_DEPTH = 1;

    private RequestKey() {}

    /**
     * Returns the key of a request.
     *
     * @param orderingDepth the number of segments of the source in the key; with 0, Kafka delivers all requests of a
     *     namespace in order
     */
    public static String of(RenameRequest request, Notation notation, int orderingDepth) {
        String first = notation.firstOf(request.source(), orderingDepth);
        String between = notation.leading() || first.isEmpty() ? "" : notation.separator();
        return request.namespace() + between + first;
    }

    /** Returns the key of a request whose paths are in the notation with slashes. */
    public static String of(RenameRequest request, int orderingDepth) {
        return of(request, Notation.SLASHES, orderingDepth);
    }
}
