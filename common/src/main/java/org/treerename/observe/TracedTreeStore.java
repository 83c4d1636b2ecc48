package org.treerename.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Records a span for the check under the locks, and a span for each pass. The span of a pass ends when the scan of the
 * pass is closed.
 */
record TracedTreeStore(TreeStore tree, Spans spans) implements ForwardingTreeStore {

    @Override
    public TreeSnapshot examine(Rename rename) {
        return spans.reported(Spans.CHECK, span -> tree.examine(rename));
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return tree.moves(namespace);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // TracedScan.close closes the scope
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        Pass pass = new Pass(spans);
        pass.begin();
        try {
            return new TracedScan(tree.scan(namespace, path, reach), pass);
        } catch (RuntimeException | Error e) {
            pass.failed(e);
            pass.end(0);
            throw e;
        }
    }

    /**
     * Opens the scan of a pass. The span of the pass begins only with the read of the first page, because the rename is
     * committed before this read.
     */
    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        return new TracedScan(tree.open(rename, snapshot), new Pass(spans));
    }

    /**
     * The span of one pass. The span is current on the thread of the rename until the pass ends. The bulk requests of a
     * {@link MoveStream} run on other threads.
     */
    private static final class Pass {
        private final Spans spans;
        private @Nullable Span span;
        private @Nullable Scope scope;

        Pass(Spans spans) {
            this.spans = spans;
        }

        @SuppressWarnings("MustBeClosedChecker") // end() closes the scope
        void begin() {
            if (span == null) {
                span = spans.child(Spans.PASS);
                scope = span.makeCurrent();
            }
        }

        void failed(Throwable failure) {
            if (span != null) {
                Spans.failed(span, failure);
            }
        }

        void end(long found) {
            if (scope != null && span != null) {
                scope.close();
                span.setAttribute(Attributes.FOUND, found).end();
            }
        }
    }

    private static final class TracedScan implements Scan {
        private final Scan scan;
        private final Pass pass;
        private long found;
        private boolean isClosed;

        TracedScan(Scan scan, Pass pass) {
            this.scan = scan;
            this.pass = pass;
        }

        @Override
        public List<Document> nextPage() {
            pass.begin();
            List<Document> page;
            try {
                page = scan.nextPage();
            } catch (RuntimeException | Error e) {
                pass.failed(e);
                throw e;
            }
            found += page.size();
            return page;
        }

        @Override
        public void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            try {
                scan.close();
            } finally {
                pass.end(found);
            }
        }
    }
}
