package org.treerename.checker;

import java.time.Instant;
import java.util.Comparator;
import org.treerename.path.TreePath;

/**
 * A rename that has taken effect. If the clock of the worker was never set back, the commit was between {@code
 * committedAt} and {@code finishedAt}.
 *
 * @param committedAt the time that the worker read from its clock just before it wrote the commit
 * @param finishedAt the time that the worker read from its clock after it had moved the last document
 */
public record CompletedRename(
        String requestId, String source, String destination, boolean replace, Instant committedAt, Instant finishedAt) {

    static final Comparator<CompletedRename> BY_COMMIT =
            Comparator.comparing(CompletedRename::committedAt).thenComparing(CompletedRename::requestId);

    /** Returns whether this rename ended before the other rename was decided. */
    boolean precedes(CompletedRename other) {
        return finishedAt.isBefore(other.committedAt);
    }

    /**
     * Returns whether the order of the two renames can matter. The paths of a rename are its source and its
     * destination. The order can matter if a path of one rename is equal to, above or below a path of the other rename.
     */
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
