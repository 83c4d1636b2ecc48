package org.treerename.checker;

import java.time.Instant;
import java.util.Comparator;
import org.treerename.path.TreePath;

/**
 * A rename that has taken effect. Its commit lies between its two times, if the clock of its worker went forward.
 *
 * @param committedAt read just before the commit was written
 * @param finishedAt read after its last document was moved
 */
public record CompletedRename(
        String requestId, String source, String destination, boolean replace, Instant committedAt, Instant finishedAt) {

    static final Comparator<CompletedRename> BY_COMMIT =
            Comparator.comparing(CompletedRename::committedAt).thenComparing(CompletedRename::requestId);

    /** Whether it had ended before the other one was decided. */
    boolean precedes(CompletedRename other) {
        return finishedAt.isBefore(other.committedAt);
    }

    /** Whether their order can make a difference: an end of one is an end of the other or lies above one. */
    boolean overlaps(CompletedRename other) {
        return overlap(source, other.source)
                || overlap(source, other.destination)
                || overlap(destination, other.source)
                || overlap(destination, other.destination);
    }

    private static boolean overlap(String one, String other) {
        TreePath first = new TreePath(one);
        TreePath second = new TreePath(other);
        return first.isAtOrBelow(second) || second.isAtOrBelow(first);
    }

    @Override
    public String toString() {
        return source + " to " + destination + " (request " + requestId + ")";
    }
}
