package org.treerename.tree;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.namespace.Namespace;
import org.treerename.process.ProcessContext;

/**
 * Limits the number of documents that are moved per second, so that the cluster has capacity for other work. One limit
 * applies to all namespaces together, and each namespace may have its own limit.
 *
 * <p>A page contains the documents of one request. The number of documents in the earlier pages determines how long a
 * page waits. The number of documents in the page itself has no influence. So a page that is larger than the limit is
 * sent at its turn, and the next pages wait longer. A process that is fenced while it waits does not send the page.
 * While the lease of the process is in doubt, the page continues to wait.
 */
public final class PacedTreeStore implements ForwardingTreeStore {

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

    /** The times at which pages may be sent under one limit. */
    private static final class Pace {

        /** The time at which the next page may be sent, on the monotonic clock. */
        private long freeNanos;

        Pace(long nowNanos) {
            this.freeNanos = nowNanos;
        }

        synchronized long turn(long now, int documents, int documentsPerSecond) {
            if (documentsPerSecond == 0) {
                return now;
            }
            // capacity that is not used now cannot be used later
            long turn = freeNanos - now > 0 ? freeNanos : now;
            freeNanos = turn + Duration.ofSeconds(documents).toNanos() / documentsPerSecond;
            return turn;
        }
    }

    private final TreeStore tree;
    private final ProcessContext context;
    private final int documentsPerSecond;
    private final Runnable waiting;
    private final Pace ofAll;
    private final Map<String, Pace> ofNamespaces = new ConcurrentHashMap<>();

    /**
     * @param documentsPerSecond the limit of all namespaces together; 0 if only the limits of the namespaces apply
     * @param waiting the function that a thread calls repeatedly while it waits for its turn, to show that the thread
     *     is not stuck
     */
    public PacedTreeStore(TreeStore tree, ProcessContext context, int documentsPerSecond, Runnable waiting) {
        this.tree = tree;
        this.context = context;
        this.documentsPerSecond = documentsPerSecond;
        this.waiting = waiting;
        this.ofAll = new Pace(context.time().nanos());
    }

    @Override
    public TreeStore tree() {
        return tree;
    }

    /**
     * Returns a page size with which no page waits much longer than a second.
     *
     * @param documentsPerSecond the limit; 0 for no limit
     */
    public static int page(int pageSize, int documentsPerSecond) {
        return documentsPerSecond == 0 ? pageSize : Math.min(pageSize, documentsPerSecond);
    }

    /**
     * Checks that a limit is not negative.
     *
     * @throws IllegalArgumentException if the limit is negative
     */
    public static void requireLimit(int documentsPerSecond) {
        if (documentsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "the limit of documents per second must be 0 (no limit) or at least 1, was " + documentsPerSecond);
        }
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        awaitTurn(namespace, moves.size());
        return tree.move(namespace, moves);
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return new Paced(tree.moves(namespace), namespace);
    }

    private final class Paced implements ForwardingMoveStream {
        private final MoveStream stream;
        private final Namespace namespace;

        Paced(MoveStream stream, Namespace namespace) {
            this.stream = stream;
            this.namespace = namespace;
        }

        @Override
        public MoveStream stream() {
            return stream;
        }

        @Override
        public List<MoveResult> send(List<Move> moves) {
            awaitTurn(namespace, moves.size());
            return stream.send(moves);
        }
    }

    private void awaitTurn(Namespace namespace, int documents) {
        int ofNamespace = namespace.rules().documentsPerSecond();
        if (documentsPerSecond > 0 || ofNamespace > 0) {
            awaitTurn(namespace.name(), ofNamespace, documents);
        }
    }

    private void awaitTurn(String namespace, int ofNamespace, int documents) {
        long now = context.time().nanos();
        long ofAllTurn = ofAll.turn(now, documents, documentsPerSecond);
        long ofNamespaceTurn =
                ofNamespaces.computeIfAbsent(namespace, n -> new Pace(now)).turn(now, documents, ofNamespace);
        long turn = ofNamespaceTurn - ofAllTurn > 0 ? ofNamespaceTurn : ofAllTurn;
        for (long left = turn - now; left > 0; left = turn - context.time().nanos()) {
            context.beforeWriting("the move of " + documents + " documents");
            context.time().pause(Duration.ofNanos(Math.min(left, LONGEST_PAUSE.toNanos())));
            waiting.run();
        }
        context.beforeWriting("the move of " + documents + " documents");
    }
}
