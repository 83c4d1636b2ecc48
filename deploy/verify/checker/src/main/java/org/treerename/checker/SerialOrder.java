package org.treerename.checker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.checker.TreeModel.Applied;

/**
 * Searches for a serial order of the completed renames. Each rename must be valid at its place, and the result of all
 * renames must be the final tree.
 *
 * <p>The search first tries the order of the commit times, which come from the clocks of the workers. This order is
 * nearly always valid, because the clocks differ by little. If this order is not valid, and there are at most {@link
 * #MOST_SEARCHED} renames, the search tries other orders, depth first. Three rules reduce the number of these orders:
 * <ul>
 *   <li>The order of two renames that do not overlap does not matter. So the search changes only the order of renames
 *       within a group of overlapping renames.
 *   <li>If one rename ended before another rename was decided, the search keeps the order of these two renames.
 *   <li>The search visits each combination of applied renames and resulting tree only once.
 * </ul>
 */
public final class SerialOrder {

    /** The maximum number of renames for which the search tries other orders than the order of the commit times. */
    public static final int MOST_SEARCHED = 60;

    /** The maximum number of states that the search visits. */
    static final int MOST_PLACES = 1_000_000;

    /** The result of the search for a valid order. */
    public sealed interface Answer {

        /**
         * The search found a valid order.
         *
         * @param asCommitted whether the found order is the order of the commit times
         */
        record Found(List<CompletedRename> order, boolean asCommitted) implements Answer {}

        /** No order is valid. The text {@code why} says why the order of the commits is not valid. */
        record None(String why) implements Answer {}

        /** The order of the commits is not valid, and there were too many other orders to try. */
        record Undecided(String why) implements Answer {}
    }

    /** A state of the search: the applied renames, one bit for each, and the fingerprint of the resulting tree. */
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
     * Searches for a valid order.
     *
     * @param before the tree before all renames; the search changes this tree and restores it
     * @param completed every completed rename
     * @param after the tree after all renames
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
                    problem.get() + "; " + byCommit.size() + " renames are too many to try other orders");
        }
        SerialOrder search = new SerialOrder(before, byCommit, after.fingerprint());
        if (search.extend(0)) {
            return new Answer.Found(List.copyOf(search.order), false);
        }
        return search.seen.size() >= MOST_PLACES
                ? new Answer.Undecided(problem.get() + "; the search stopped after " + MOST_PLACES + " states")
                : new Answer.None(problem.get() + "; no other order is valid either");
    }

    private static Optional<String> problem(TreeModel model, List<CompletedRename> order, long wanted) {
        int applied = 0;
        try {
            for (CompletedRename rename : order) {
                if (apply(model, rename) instanceof Applied.Rejected rejected) {
                    return Optional.of("in the order of the commits, the model rejects rename " + (applied + 1) + " of "
                            + order.size() + ", " + rename + ": "
                            + rejected.rejection().published());
                }
                applied++;
            }
            return model.fingerprint() == wanted
                    ? Optional.empty()
                    : Optional.of(
                            "the order of the commits results in a tree that differs from the tree after the run");
        } finally {
            for (; applied > 0; applied--) {
                model.undo();
            }
        }
    }

    private static Applied apply(TreeModel model, CompletedRename rename) {
        return model.apply(rename.source(), rename.destination(), rename.replace());
    }

    /** Renames that overlap, directly or through other renames, have the same number. */
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

    /** If the result is true, {@link #order} contains all renames. */
    private boolean extend(long applied) {
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
                boolean done = extend(applied | (1L << next));
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
