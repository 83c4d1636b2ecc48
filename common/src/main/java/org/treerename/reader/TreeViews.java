package org.treerename.reader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.treerename.lock.LockStore;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Journal;
import org.treerename.runtime.Time;

/**
 * Opens views of trees. A view is one state of the tree: it has every rename that was committed before it was opened, and of those that are committed
 * meanwhile all up to one of them. Any thread may call it.
 *
 * <ol>
 *   <li>Read the lock tables that concern the path, and the entries of the holds there.
 *   <li>Open a point in time.
 *   <li>Read both again, and once more if a rename was committed in between.
 * </ol>
 *
 * A process that dies here leaves a point in time, which Elasticsearch closes.
 */
public final class TreeViews {

    /**
     * How a view is opened.
     *
     * @param isRefreshed whether it shows every write that was acknowledged before
     * @param mayBeInconsistent whether a view is returned, and marked, also where no one state of the tree was found
     */
    public record Options(boolean isRefreshed, boolean mayBeInconsistent) {
        public static final Options DEFAULT = new Options(false, false);
    }

    /** How often a view is given up before the caller gets an error. */
    static final int MOST_TRIES = 6;

    /** The most renames under way of which a view can show documents; each is a part of every query. */
    static final int MOST_RENAMES = 400;

    private static final Duration PAUSE = Duration.ofMillis(25);

    private final LockStore locks;
    private final Journal journal;
    private final PointsInTime points;
    private final Time time;

    public TreeViews(LockStore locks, Journal journal, PointsInTime points, Time time) {
        this.locks = locks;
        this.journal = journal;
        this.points = points;
        this.time = time;
    }

    /**
     * Opens a view of what is at and below a path.
     *
     * @throws TreeChangedException if the tree changes too fast
     */
    public TreeView open(Namespace namespace, Path path, Options options) {
        LockReader reader = new LockReader(locks, journal, namespace);
        for (int tries = 1; true; tries++) {
            LockReading first = reader.first(path);
            PointInTime opened = points.open(namespace, options.isRefreshed());
            boolean isUsed = false;
            try {
                CommittedRenames renames = new CommittedRenames(namespace, path, first);
                LockReading second = reader.again(first, renames.concerned());
                if (renames.compare(second)) {
                    renames.complete(second, reader.again(second, renames.concerned()));
                }
                Optional<String> problem = renames.problem();
                boolean isLast = tries == MOST_TRIES;
                if (problem.isEmpty() || (isLast && options.mayBeInconsistent())) {
                    TreeView view = view(namespace, path, renames.disjoint(), opened, problem.isEmpty());
                    isUsed = true;
                    return view;
                }
                if (isLast) {
                    throw new TreeChangedException("no view of " + path + " in " + namespace.name()
                            + " shows one state of the tree after " + tries + " tries: " + problem.get()
                            + "; ask again, or below a path with fewer renames");
                }
            } finally {
                if (!isUsed) {
                    opened.close();
                }
            }
            time.pause(PAUSE.multipliedBy(tries));
        }
    }

    private static TreeView view(
            Namespace namespace, Path path, List<CommittedRename> renames, PointInTime opened, boolean isConsistent) {
        if (renames.size() > MOST_RENAMES) {
            throw new TreeChangedException(renames.size() + " renames are under way at or below " + path + " in "
                    + namespace.name() + ", a view shows at most " + MOST_RENAMES + "; ask below a longer path");
        }
        return new TreeView(namespace, path, new Overlay(namespace.notation(), renames), opened, isConsistent);
    }

    /** Returns a view that was opened before, perhaps by another process. */
    public TreeView reopen(Namespace namespace, SavedView saved) {
        return new TreeView(
                namespace,
                namespace.notation().path(saved.path()),
                new Overlay(namespace.notation(), saved.renames()),
                points.opened(namespace, saved.pointInTime()),
                saved.isConsistent());
    }
}
