package org.treerename.wire;

import org.treerename.path.Path;
import org.treerename.rename.Asked.RenameRequest;

/**
 * The key of a request's record, which decides the partition: requests with the same key are in order. It is the namespace
 * and the first segments of the source, {@code files/a} for {@code /a/b} in {@code files} with a depth of one.
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
    public static String of(RenameRequest request, int orderingDepth) {
        String source = request.source();
        int end = 0;
        for (int taken = 0; taken < orderingDepth && end < source.length(); taken++) {
            int next = source.indexOf(Path.SEPARATOR, end + 1);
            end = next < 0 ? source.length() : next;
        }
        return request.namespace() + source.substring(0, end);
    }
}
