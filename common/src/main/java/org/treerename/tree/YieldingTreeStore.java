package org.treerename.tree;

import java.time.Duration;
import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.runtime.Time;

/**
 * Slows down a long move while other renames of the same process begin. The move pauses after each page for three times
 * as long as that page took. A move does not pause during its first pages. If the namespace of the move has its own
 * limit, the move never pauses, because this limit leaves capacity for other renames.
 */
public final class YieldingTreeStore implements ForwardingTreeStore {

    /** The number of pages after which a move is treated as long. */
    private static final int FREE_PAGES = 20;

    /** The length of a pause, as a multiple of the time that the page before the pause took. */
    private static final int PAUSE = 3;

    /** The time after the beginning of another rename during which a long move is slowed down. */
    private static final Duration RECENT = Duration.ofMillis(500);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private final TreeStore tree;
    private final Time time;

    /**
     * The time at which a rename last checked the tree under its locks, on the monotonic clock. A check without an answer
     * does not count, because the rename of a tree that does not answer has no use of a pause.
     */
    private volatile long begunNanos;

    public YieldingTreeStore(TreeStore tree, Time time) {
        this.tree = tree;
        this.time = time;
        this.begunNanos = time.nanos();
    }

    @Override
    public TreeStore tree() {
        return tree;
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        TreeSnapshot snapshot = tree.examine(rename);
        begunNanos = time.nanos();
        return snapshot;
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        long openedNanos = time.nanos();
        return yielding(namespace, tree.scan(namespace, path, reach), openedNanos);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        long openedNanos = time.nanos();
        return yielding(rename.namespace(), tree.open(rename, snapshot), openedNanos);
    }

    private Scan yielding(Namespace namespace, Scan scan, long openedNanos) {
        return namespace.rules().documentsPerSecond() > 0 ? scan : new Yielding(scan, openedNanos);
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return tree.moves(namespace);
    }

    private final class Yielding implements Scan {
        private final Scan scan;
        private final long openedNanos;
        private int pages;
        private long returnedNanos;

        Yielding(Scan scan, long openedNanos) {
            this.scan = scan;
            this.openedNanos = openedNanos;
        }

        @Override
        public List<Document> nextPage() {
            if (pages > FREE_PAGES && haveOthersBegun()) {
                long pause = PAUSE * (time.nanos() - returnedNanos);
                time.pause(Duration.ofNanos(Math.min(pause, LONGEST_PAUSE.toNanos())));
            }
            List<Document> page = scan.nextPage();
            pages++;
            returnedNanos = time.nanos();
            return page;
        }

        /** Ignores the move's own rename, because that rename began before the scan was opened. */
        private boolean haveOthersBegun() {
            long begun = begunNanos;
            return begun - openedNanos > 0 && time.nanos() - begun < RECENT.toNanos();
        }

        @Override
        public void close() {
            scan.close();
        }
    }
}
