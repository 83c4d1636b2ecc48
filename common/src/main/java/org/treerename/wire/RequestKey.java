package org.treerename.wire;

import org.treerename.path.Notation;
import org.treerename.rename.ParsedRequest.RenameRequest;

/**
 * The key of a request's record, which decides the partition: requests with the same key are in order. It is the namespace
 * and the first segments of the source, {@code files/a} for {@code /a/b} and {@code files.a} for {@code a.b} in {@code
 * files} with a depth of one.
 */
public final class RequestKey {

    /** How many segments are taken where nobody says otherwise. */
    public static final int DEFAULT_DEPTH = 1;

    private RequestKey() {}

    /**
     * Makes it.
     *
     * @param orderingDepth how many segments of the source are taken; 0: the whole namespace is in order
     */
    public static String of(RenameRequest request, Notation notation, int orderingDepth) {
        String first = notation.firstOf(request.source(), orderingDepth);
        String between = notation.leading() || first.isEmpty() ? "" : notation.separator();
        return request.namespace() + between + first;
    }

    /** The same, of a request in the notation with slashes. */
    public static String of(RenameRequest request, int orderingDepth) {
        return of(request, Notation.SLASHES, orderingDepth);
    }
}
