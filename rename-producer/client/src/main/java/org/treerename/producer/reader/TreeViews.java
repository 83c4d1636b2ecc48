package org.treerename.producer.reader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Journal;
import org.treerename.lock.LockStore;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.runtime.Time;

/**
 * Opens views of trees. A view shows one state of the tree. The view contains every rename that was committed before
 * the view was opened. If renames are committed during the opening, the view contains all renames up to one of these
 * commits, and no later rename.
 *
 * <ol>
 *   <li>Read the lock tables of the path, and the entries of the holds in these tables.
 *   <li>Open a point in time.
 *   <li>Read the tables and the entries again, and once more if a rename was committed since the first step.
 * </ol>
 *
 * <p>If the process dies after the second step, the point in time remains open until its keep-alive time is over.
 */
public final class TreeViews {

    /**
     * The options for opening a view.
     *
     * @param isRefreshed whether the view shows every write that was acknowledged before the view was opened
     * @param mayBeInconsistent whether the caller accepts an inconsistent view if no attempt shows one state of the
     *     tree. For such a view, {@link TreeView#isConsistent} returns false
     */
    public record Options(boolean isRefreshed, boolean mayBeInconsistent) {
        public static final Options DEFAULT = new Options(false, false);
    }

    /** The maximum number of attempts to open a view that shows one state of the tree. */
    static final int MOST_TRIES = 6;

    /**
     * The largest number of renames in progress that a view can show. Each of these renames adds a part to every query.
     */
    static final int MOST_RENAMES = 400;

    private static final Duration PAUSE = Duration.ofMillis(25);

    private record Wanted(Namespace namespace, TreePath path, Options options) {}

    private static final Logger log = LoggerFactory.getLogger(TreeViews.class);

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
     * Opens a view of the documents at and below a path.
     *
     * @throws TreeChangedException if no attempt shows one state of the tree, or if too many renames are in progress
     */
    public TreeView open(Namespace namespace, TreePath path, Options options) {
        LockReader reader = new LockReader(locks, journal, namespace);
        return open(new Wanted(namespace, path, options), reader, reader.first(path));
    }

    /**
     * Answers one query about the tree at and below a path. If one search can answer the query and no rename is
     * committed during the search, this method opens no point in time. The search then runs between two readings of the
     * locks. An answer cannot be marked as inconsistent, so the answer always shows one state of the tree.
     *
     * @throws TreeChangedException if no attempt shows one state of the tree, even if the options allow an inconsistent
     *     view
     */
    public <T> T answer(Namespace namespace, TreePath path, Options options, Function<TreeView, T> question) {
        Wanted wanted = new Wanted(namespace, path, new Options(options.isRefreshed(), false));
        LockReader reader = new LockReader(locks, journal, namespace);
        LockReading first = reader.first(path);
        try {
            Optional<T> answer = ofOneSearch(wanted, reader, first, question);
            if (answer.isPresent()) {
                return answer.get();
            }
            first = reader.first(path);
        } catch (OneSearch.NotEnoughException e) {
            log.trace("a view of {} in {} needs a point in time", path, namespace.name());
        }
        try (TreeView view = open(wanted, reader, first)) {
            return question.apply(view);
        }
    }

    private <T> Optional<T> ofOneSearch(
            Wanted wanted, LockReader reader, LockReading first, Function<TreeView, T> question) {
        CommittedRenames renames = new CommittedRenames(wanted.namespace, wanted.path, first);
        PointInTime latest = points.latest(wanted.namespace, wanted.options.isRefreshed());
        T answer = question.apply(view(wanted, renames.disjoint(), new OneSearch(latest), true));
        boolean isNew = renames.compare(reader.again(first, renames.concerned()));
        return isNew || renames.problem().isPresent() ? Optional.empty() : Optional.of(answer);
    }

    private TreeView open(Wanted wanted, LockReader reader, LockReading begin) {
        TreePath path = wanted.path;
        Namespace namespace = wanted.namespace;
        Options options = wanted.options;
        LockReading first = begin;
        for (int tries = 1; true; tries++) {
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
                    TreeView view = view(wanted, renames.disjoint(), opened, problem.isEmpty());
                    isUsed = true;
                    return view;
                }
                if (isLast) {
                    throw new TreeChangedException("the tree changed during each of " + tries + " tries to open a view"
                            + " of " + path + " in " + namespace.name() + ": " + problem.get()
                            + "; try again, or use a path with fewer renames");
                }
            } finally {
                if (!isUsed) {
                    opened.close();
                }
            }
            time.pause(PAUSE.multipliedBy(tries));
            first = reader.first(path);
        }
    }

    private static TreeView view(
            Wanted wanted, List<CommittedRename> renames, PointInTime points, boolean isConsistent) {
        Namespace namespace = wanted.namespace;
        if (renames.size() > MOST_RENAMES) {
            throw new TreeChangedException(
                    renames.size() + " renames are in progress at or below " + wanted.path + " in " + namespace.name()
                            + "; a view shows at most " + MOST_RENAMES + "; open a view of a smaller part of the tree");
        }
        return new TreeView(namespace, wanted.path, new Overlay(namespace.notation(), renames), points, isConsistent);
    }

    /**
     * Returns a view that this process or another process opened before.
     *
     * @throws IllegalArgumentException if no view can have this state
     */
    public TreeView reopen(Namespace namespace, SavedView saved) {
        if (saved.renames().size() > MOST_RENAMES) {
            throw new IllegalArgumentException("a view shows at most " + MOST_RENAMES + " renames, found "
                    + saved.renames().size() + "; request the first page again");
        }
        return new TreeView(
                namespace,
                namespace.notation().path(saved.path()),
                new Overlay(namespace.notation(), saved.renames()),
                points.opened(namespace, saved.pointInTime()),
                saved.isConsistent());
    }
}
