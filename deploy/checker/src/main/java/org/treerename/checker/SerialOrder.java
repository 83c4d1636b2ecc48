package org.treerename.checker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.checker.TreeModel.Applied;

/**
 * Looks for a serial order of the completed renames: each legal at its place, all together giving the final tree.
 *
 * <p>First the order in which the workers' clocks say that they were committed; it is nearly always the one, and is tried
 * for any number of renames. Clocks differ by little, so where that order does not do, others are searched, depth first, as
 * long as there are few renames. Two renames that do not overlap commute, so only those are interchanged that hang together
 * by overlaps; and of two such a rename that had ended before the other was decided stays before it. A tree that was met
 * before with the same renames applied is not gone through again.
 */
public final class SerialOrder {

    /** How many renames may be searched through. */
    public static final int MOST_SEARCHED = 60;

    /** After how many places the search gives up. */
    static final int MOST_PLACES = 1_000_000;

    /** What the search came to. */
    public sealed interface Answer {

        /**
         * This order does.
         *
         * @param asCommitted whether it is the order of the recorded commits
         */
        record Found(List<CompletedRename> order, boolean asCommitted) implements Answer {}

        /** No order does; why the order of the commits does not. */
        record None(String why) implements Answer {}

        /** The order of the commits does not, and there was too much to search. */
        record Undecided(String why) implements Answer {}
    }

    /** A place of the search: which renames are applied, a bit for each, and what tree they have given. */
    private record Seen(long applied, long fingerprint) {}

    private final TreeModel model;
    private final List<CompletedRename> renames;
    private final long wanted;
    private final int[] groups;
    private final List<CompletedRename> order = new ArrayList<>();
    private final Set<Seen> seen = new HashSet<>();

    private SerialOrder(TreeModel model, List<CompletedRename> renames, long wanted) {
        this.model = model;
        this.renames = renames;
        this.wanted = wanted;
        this.groups = groups(renames);
    }

    /**
     * Looks for one.
     *
     * @param before the tree before them all; it is played with and left as it was
     * @param completed every completed rename
     * @param after the tree after them all
     */
    public static Answer find(TreeModel before, List<CompletedRename> completed, TreeModel after) {
        List<CompletedRename> byCommit =
                completed.stream().sorted(CompletedRename.BY_COMMIT).toList();
        Optional<String> problem = problem(before, byCommit, after.fingerprint());
        if (problem.isEmpty()) {
            return new Answer.Found(byCommit, true);
        }
        if (byCommit.size() > MOST_SEARCHED) {
            return new Answer.Undecided(
                    problem.get() + "; " + byCommit.size() + " renames are too many to search for another order");
        }
        SerialOrder search = new SerialOrder(before, byCommit, after.fingerprint());
        if (search.goOn(0)) {
            return new Answer.Found(List.copyOf(search.order), false);
        }
        return search.seen.size() >= MOST_PLACES
                ? new Answer.Undecided(problem.get() + "; the search was given up after " + MOST_PLACES + " places")
                : new Answer.None(problem.get() + "; nor does any other order");
    }

    /** Why an order does not do, in words; empty if it does. */
    private static Optional<String> problem(TreeModel model, List<CompletedRename> order, long wanted) {
        int applied = 0;
        try {
            for (CompletedRename rename : order) {
                if (apply(model, rename) instanceof Applied.Rejected rejected) {
                    return Optional.of("in the order of the commits, place " + (applied + 1) + " of " + order.size()
                            + ", the completed rename of " + rename + " would be rejected: "
                            + rejected.rejection().published());
                }
                applied++;
            }
            return model.fingerprint() == wanted
                    ? Optional.empty()
                    : Optional.of("the order of the commits gives another tree than the one found");
        } finally {
            for (; applied > 0; applied--) {
                model.undo();
            }
        }
    }

    private static Applied apply(TreeModel model, CompletedRename rename) {
        return model.apply(rename.source(), rename.destination(), rename.replace());
    }

    /** Which renames hang together by overlaps: the same number for those that do. */
    private static int[] groups(List<CompletedRename> renames) {
        int[] groups = new int[renames.size()];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = i;
        }
        for (int i = 0; i < groups.length; i++) {
            for (int j = 0; j < i; j++) {
                if (groups[i] != groups[j] && renames.get(i).overlaps(renames.get(j))) {
                    int gone = groups[i];
                    for (int k = 0; k < groups.length; k++) {
                        groups[k] = groups[k] == gone ? groups[j] : groups[k];
                    }
                }
            }
        }
        return groups;
    }

    /** Whether the rest can be applied to what stands; if so {@link #order} is complete. */
    private boolean goOn(long applied) {
        if (Long.bitCount(applied) == renames.size()) {
            return model.fingerprint() == wanted;
        }
        if (seen.size() >= MOST_PLACES || !seen.add(new Seen(applied, model.fingerprint()))) {
            return false;
        }
        int group = groups[Long.numberOfTrailingZeros(~applied)];
        for (int next = 0; next < renames.size(); next++) {
            CompletedRename rename = renames.get(next);
            if (isLeft(next, applied)
                    && groups[next] == group
                    && mayBeNext(next, applied)
                    && apply(model, rename) instanceof Applied.Renamed) {
                order.add(rename);
                boolean done = goOn(applied | (1L << next));
                model.undo();
                if (done) {
                    return true;
                }
                order.removeLast();
            }
        }
        return false;
    }

    private boolean mayBeNext(int candidate, long applied) {
        for (int other = 0; other < renames.size(); other++) {
            if (other != candidate
                    && isLeft(other, applied)
                    && groups[other] == groups[candidate]
                    && renames.get(other).precedes(renames.get(candidate))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLeft(int rename, long applied) {
        return (applied & (1L << rename)) == 0;
    }
}
