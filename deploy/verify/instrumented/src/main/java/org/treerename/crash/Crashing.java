package org.treerename.crash;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.lock.ForwardingLockStore;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.ForwardingProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.request.Outcomes;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Decorates the stores of a service, so that calls to the stores reach the crash points. If crash points are off,
 * returns the stores unchanged.
 */
public final class Crashing {

    private Crashing() {}

    public static Stores ofWorker(CrashPoints points, Stores stores) {
        return of(points, stores, CrashPoint.WITHIN_MOVE, false);
    }

    public static Stores ofJanitor(CrashPoints points, Stores stores) {
        return of(points, stores, CrashPoint.ROLLING_FORWARD, true);
    }

    private static Stores of(CrashPoints points, Stores stores, CrashPoint within, boolean reclaiming) {
        return points.isOff()
                ? stores
                : new Stores(
                        stores.namespaces(),
                        new OfJournal(stores.journal(), points),
                        new OfLocks(stores.locks(), points, reclaiming),
                        new OfTree(stores.tree(), points, within, ConcurrentHashMap.newKeySet()),
                        outcomes(points, stores.outcomes()));
    }

    public static ProcessStore ofJanitor(CrashPoints points, ProcessStore processes) {
        return points.isOff() ? processes : new OfProcesses(processes, points);
    }

    private record OfJournal(Journal journal, CrashPoints points) implements ForwardingJournal {

        /** The points before and after one write; null for a point that does not exist. */
        private record Around(
                @Nullable CrashPoint before, @Nullable CrashPoint after) {
            static final Around NOTHING = new Around(null, null);
        }

        @Override
        public Prepared prepare(Attempt attempt) {
            points.reach(CrashPoint.BEFORE_PREPARE);
            Prepared prepared = journal.prepare(attempt);
            points.reach(CrashPoint.AFTER_PREPARE);
            return prepared;
        }

        @Override
        public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
            Around around = around(step);
            if (around.before() != null) {
                points.reach(around.before());
            }
            WriteResult result = journal.write(step, entry, seen);
            if (result instanceof WriteResult.Written && around.after() != null) {
                points.reach(around.after());
            }
            return result;
        }

        /** The step REMOVALS has no points, because no scan is open at this step. */
        private static Around around(JournalStep step) {
            return switch (step) {
                case COMMIT -> new Around(CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT);
                case PROGRESS, RESUME -> new Around(CrashPoint.BEFORE_PROGRESS, CrashPoint.AFTER_PROGRESS);
                case END -> new Around(CrashPoint.BEFORE_DONE, CrashPoint.AFTER_DONE);
                case CLOSE -> new Around(CrashPoint.BEFORE_CLOSE, CrashPoint.AFTER_CLOSE);
                case RETRY -> new Around(CrashPoint.BEFORE_RETRY, null);
                case TAKE_OVER, NOT_DELIVERED -> new Around(null, CrashPoint.AFTER_TAKE_OVER);
                case ATTEMPT,
                        FURTHER_LOCKS,
                        REMOVALS,
                        PARK,
                        CANCEL,
                        ABANDON,
                        PICK_UP,
                        NO_OP,
                        PLACEHOLDER,
                        REPLACE_PLACEHOLDER -> Around.NOTHING;
            };
        }
    }

    /**
     * The release of an attempt's hold and the release of all holds and claims of a request have different points.
     *
     * @param reclaiming whether the process is a janitor, which has one more point before each release
     */
    private record OfLocks(LockStore locks, CrashPoints points, boolean reclaiming) implements ForwardingLockStore {

        @Override
        public void release(LockSet set, Release release) {
            around(release, () -> locks.release(set, release));
        }

        @Override
        public void release(Collection<LockTable.Id> tables, Release release) {
            around(release, () -> locks.release(tables, release));
        }

        @Override
        public void releaseFromDocuments(String namespace, Release release) {
            around(release, () -> locks.releaseFromDocuments(namespace, release));
        }

        private void around(Release release, Runnable releasing) {
            if (reclaiming) {
                points.reach(CrashPoint.BEFORE_RECLAIM);
            }
            boolean ofRequest = release.claimOf().isPresent();
            points.reach(ofRequest ? CrashPoint.BEFORE_RELEASE : CrashPoint.BEFORE_ATTEMPT_RELEASE);
            releasing.run();
            points.reach(ofRequest ? CrashPoint.AFTER_RELEASE : CrashPoint.AFTER_ATTEMPT_RELEASE);
        }
    }

    private record Place(String namespace, TreePath path) {}

    /**
     * Moves a page in two halves, so that a point exists between the halves.
     *
     * @param within the point between the halves
     * @param found the places whose last scan found documents
     */
    private record OfTree(TreeStore tree, CrashPoints points, CrashPoint within, Set<Place> found)
            implements ForwardingTreeStore {

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            Place place = new Place(namespace.name(), path);
            if (found.remove(place)) {
                points.reach(CrashPoint.BEFORE_PROOF);
            }
            return new OfScan(tree.scan(namespace, path, reach), points, () -> {
                if (reach == Reach.AT_OR_BELOW) {
                    found.add(place);
                }
            });
        }

        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            Place place = new Place(rename.namespace().name(), rename.source());
            found.remove(place);
            return new OfScan(tree.open(rename, snapshot), points, () -> found.add(place));
        }

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            points.reach(CrashPoint.BEFORE_MOVE);
            List<Written> answers = new ArrayList<>();
            int half = moves.size() / 2;
            if (half > 0) {
                answers.addAll(tree.move(namespace, moves.subList(0, half)));
                points.reach(within);
            }
            answers.addAll(tree.move(namespace, moves.subList(half, moves.size())));
            points.reach(CrashPoint.AFTER_MOVE);
            return answers;
        }

        @Override
        public List<Written> remove(List<Removal> removals) {
            points.reach(CrashPoint.BEFORE_REMOVAL);
            List<Written> answers = tree.remove(removals);
            points.reach(CrashPoint.AFTER_REMOVAL);
            return answers;
        }
    }

    /** A scan with a point between two pages. */
    private static final class OfScan implements TreeStore.Scan {

        private final TreeStore.Scan scan;
        private final CrashPoints points;
        private final Runnable foundSomething;
        private boolean begun;

        OfScan(TreeStore.Scan scan, CrashPoints points, Runnable foundSomething) {
            this.scan = scan;
            this.points = points;
            this.foundSomething = foundSomething;
        }

        @Override
        public List<Document> nextPage() {
            if (begun) {
                points.reach(CrashPoint.BETWEEN_PAGES);
            }
            List<Document> page = scan.nextPage();
            begun = true;
            if (!page.isEmpty()) {
                foundSomething.run();
            }
            return page;
        }

        @Override
        public void close() {
            scan.close();
        }
    }

    private static Outcomes outcomes(CrashPoints points, Outcomes outcomes) {
        return (requestId, outcome) -> {
            points.reach(CrashPoint.BEFORE_OUTCOME);
            outcomes.publish(requestId, outcome);
            points.reach(CrashPoint.AFTER_OUTCOME);
        };
    }

    private record OfProcesses(ProcessStore processes, CrashPoints points) implements ForwardingProcessStore {

        @Override
        public WriteResult write(ProcessDocument document, Version seen) {
            WriteResult result = processes.write(document, seen);
            if (document.state() == ProcessState.FENCED && result instanceof WriteResult.Written) {
                points.reach(CrashPoint.AFTER_FENCE);
            }
            return result;
        }
    }
}
