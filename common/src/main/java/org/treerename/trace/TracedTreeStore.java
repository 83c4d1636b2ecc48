package org.treerename.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.List;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Document;
import org.treerename.rename.Facts;
import org.treerename.rename.ForwardingTreeStore;
import org.treerename.rename.Rename;
import org.treerename.rename.TreeStore;

/** Tells of the look under the locks, and of each reading of the tree until it is closed. */
record TracedTreeStore(TreeStore tree, Spans spans) implements ForwardingTreeStore {

    @Override
    public Facts examine(Rename rename) {
        return spans.told(Spans.CHECK, span -> tree.examine(rename));
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the scan's close does it
    public Scan scan(Namespace namespace, Path path, Reach reach) {
        Span span = spans.child(Spans.PASS);
        Scope scope = span.makeCurrent();
        try {
            return new TracedScan(tree.scan(namespace, path, reach), span, scope);
        } catch (RuntimeException | Error e) {
            Spans.failed(span, e);
            scope.close();
            span.end();
            throw e;
        }
    }

    /** Its span is current until it is closed, so that the writes of what it found stand below it. */
    private static final class TracedScan implements Scan {
        private final Scan scan;
        private final Span span;
        private final Scope scope;
        private long found;

        TracedScan(Scan scan, Span span, Scope scope) {
            this.scan = scan;
            this.span = span;
            this.scope = scope;
        }

        @Override
        public List<Document> nextPage() {
            List<Document> page;
            try {
                page = scan.nextPage();
            } catch (RuntimeException | Error e) {
                Spans.failed(span, e);
                throw e;
            }
            found += page.size();
            return page;
        }

        @Override
        public void close() {
            try {
                scan.close();
            } finally {
                scope.close();
                span.setAttribute(Attributes.FOUND, found).end();
            }
        }
    }
}
