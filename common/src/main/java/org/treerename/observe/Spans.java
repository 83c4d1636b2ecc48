package org.treerename.observe;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Delivery;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Parking;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Outcomes;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Records the spans of one process: {@value #RENAME} for each delivery that a worker processes, and {@value
 * #ROLL_FORWARD} for each rename that a janitor or {@code rename-admin retry-parked} takes over. The spans of both
 * kinds are children of the span in which the request was sent. The spans of both kinds have children of four kinds:
 * {@value #ACQUIRE} for each attempt to acquire locks, {@value #CHECK}, {@value #COMMIT}, and {@value #PASS}. A span
 * {@value #PASS} covers one scan of the source, and the writes of the documents that the scan found. The first pass may
 * read its first page before the commit; then the commit is a child of the pass. The span of a failed or parked rename
 * has the status error; the span of a rejected rename does not have this status. A span belongs to the thread that
 * processes the rename.
 */
public final class Spans {

    static final String RENAME = "rename";
    static final String ROLL_FORWARD = "roll forward";
    static final String ACQUIRE = "acquire";
    static final String CHECK = "check";
    static final String COMMIT = "commit";
    static final String PASS = "pass";

    private static final String SCOPE = "org.treerename";

    private final Tracer tracer;

    private Spans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Returns spans that OpenTelemetry's agent, or another implementation in this process, exports. */
    public static Spans ofProcess() {
        return to(GlobalOpenTelemetry.get());
    }

    public static Spans to(OpenTelemetry openTelemetry) {
        return new Spans(openTelemetry.getTracer(SCOPE));
    }

    /** Returns spans that record nothing. */
    public static Spans none() {
        return to(OpenTelemetry.noop());
    }

    /** Returns the given stores, with spans for the journal, the tree and the outcomes. */
    public Stores traced(Stores stores) {
        return new Stores(
                stores.namespaces(),
                new OfJournal(stores.journal(), this),
                stores.locks(),
                new OfTree(stores.tree(), this),
                new OfOutcomes(stores.outcomes()));
    }

    /**
     * Processes one delivery within its span.
     *
     * @param problem returns the reason why the result of the processing is an error; empty if the result is no error
     */
    public <T> T delivered(
            String processId, Delivery delivery, Supplier<T> processing, Function<T, Optional<String>> problem) {
        Span span = begin(RENAME, SpanKind.CONSUMER, delivery.asked(), processId, delivery.place());
        try (Scope scope = RenameSpan.in(span).makeCurrent()) {
            T answer = processing.get();
            problem.apply(answer).ifPresent(why -> span.setStatus(StatusCode.ERROR, why));
            return answer;
        } catch (RuntimeException | Error e) {
            failed(span, e);
            throw e;
        } finally {
            span.end();
        }
    }

    /**
     * Runs a step that may take over a rename. The span of a take-over begins with the first write of the entry. Before
     * this write, it is not known whether the step takes over a rename, and to which trace the rename belongs.
     */
    public <T> T takingOver(String processId, Supplier<T> step) {
        TakeOver takeOver = new TakeOver(processId);
        try (Scope scope = takeOver.awaited().makeCurrent()) {
            try {
                return step.get();
            } catch (RuntimeException | Error e) {
                takeOver.failed(e);
                throw e;
            } finally {
                takeOver.end();
            }
        }
    }

    /** The entry of a writer belongs to no trace, so its take-over gets no span. */
    private void beforeWrite(JournalEntry entry) {
        TakeOver takeOver = TakeOver.awaitedNow();
        if (takeOver != null && !takeOver.hasBegun() && entry.writeTarget() == null) {
            ParsedRequest asked = entry.request() == null
                    ? new ParsedRequest.InvalidRequest(entry.requestId(), entry.requestedBy(), "")
                    : entry.request();
            takeOver.begin(begin(ROLL_FORWARD, SpanKind.INTERNAL, asked, takeOver.processId(), entry.place()));
        }
    }

    private Span begin(String name, SpanKind kind, ParsedRequest asked, String processId, RecordPosition place) {
        SpanBuilder builder = tracer.spanBuilder(name)
                .setSpanKind(kind)
                .setParent(W3c.of(asked.trace()))
                .setAttribute(Attributes.REQUEST_ID, asked.requestId())
                .setAttribute(Attributes.PROCESS_ID, processId)
                .setAttribute(Attributes.TOPIC, place.topic())
                .setAttribute(Attributes.PARTITION, String.valueOf(place.partition()))
                .setAttribute(Attributes.OFFSET, place.offset());
        if (asked instanceof RenameRequest request) {
            builder.setAttribute(Attributes.NAMESPACE, request.namespace());
        }
        return builder.startSpan();
    }

    private <T> T reported(String name, Function<Span, T> call) {
        if (!RenameSpan.isAny()) {
            return call.apply(Span.getInvalid());
        }
        Span span = child(name);
        try (Scope scope = span.makeCurrent()) {
            return call.apply(span);
        } catch (RuntimeException | Error e) {
            failed(span, e);
            throw e;
        } finally {
            span.end();
        }
    }

    /** The caller must end the span. */
    private Span child(String name) {
        return RenameSpan.isAny()
                ? tracer.spanBuilder(name).setParent(Context.current()).startSpan()
                : Span.getInvalid();
    }

    private static void failed(Span span, Throwable failure) {
        span.recordException(failure);
        span.setStatus(StatusCode.ERROR, failure.toString());
    }

    /**
     * The span of a rename that one thread takes over. The span begins with the take-over. Only this thread may call
     * this class.
     */
    private static final class TakeOver {

        private static final ContextKey<TakeOver> KEY = ContextKey.named("tree-rename-take-over");

        private final String processId;
        private @Nullable Span span;
        private @Nullable Scope scope;

        TakeOver(String processId) {
            this.processId = processId;
        }

        /** The span may begin while the returned context is current. */
        Context awaited() {
            return Context.current().with(KEY, this);
        }

        static @Nullable TakeOver awaitedNow() {
            return Context.current().get(KEY);
        }

        String processId() {
            return processId;
        }

        boolean hasBegun() {
            return span != null;
        }

        /** Until {@link #end} is called, this span is the span of the rename that this thread processes. */
        @SuppressWarnings("MustBeClosedChecker")
        void begin(Span begun) {
            span = begun;
            scope = RenameSpan.in(begun).makeCurrent();
        }

        void failed(Throwable failure) {
            if (span != null) {
                Spans.failed(span, failure);
            }
        }

        void end() {
            if (scope != null) {
                scope.close();
            }
            if (span != null) {
                span.end();
            }
        }
    }

    /** Records a span for each attempt and each commit. If a rename is parked, sets the status of its span to error. */
    private record OfJournal(Journal journal, Spans spans) implements ForwardingJournal {

        @Override
        public Prepared prepare(Attempt attempt) {
            return spans.reported(ACQUIRE, span -> {
                Prepared prepared = journal.prepare(attempt);
                span.setAttribute(Attributes.TAKEN, prepared.taken());
                return prepared;
            });
        }

        @Override
        public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
            spans.beforeWrite(entry);
            if (step == JournalStep.COMMIT) {
                return spans.reported(COMMIT, span -> journal.write(step, entry, seen));
            }
            WriteResult result = journal.write(step, entry, seen);
            Parking parking = entry.parking();
            if (step == JournalStep.PARK && parking != null && result instanceof WriteResult.Written) {
                Span rename = RenameSpan.span();
                rename.setAttribute(Attributes.STATUS, Attributes.PARKED);
                rename.setStatus(StatusCode.ERROR, parking.toString());
            }
            return result;
        }
    }

    /**
     * Records a span for the check under the locks, and a span for each pass. The span of a pass ends when the scan of
     * the pass is closed.
     */
    private record OfTree(TreeStore tree, Spans spans) implements ForwardingTreeStore {

        @Override
        public TreeSnapshot examine(Rename rename) {
            return spans.reported(CHECK, span -> tree.examine(rename));
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

        /** The span of the pass begins with the read of the first page, because the commit comes before it. */
        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            return new TracedScan(tree.open(rename, snapshot), new Pass(spans));
        }

        /**
         * The span of one pass. The span is current on the thread of the rename until the pass ends. The bulk requests
         * of a {@link MoveStream} run on other threads.
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
                    span = spans.child(PASS);
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

    /** Adds the outcome of a rename to the span of the rename. */
    private record OfOutcomes(Outcomes outcomes) implements Outcomes {

        @Override
        public void publish(String requestId, String outcome) {
            Span span = RenameSpan.span();
            if (span.isRecording()) {
                addTo(span, OutcomeCodec.decode(outcome));
            }
            outcomes.publish(requestId, outcome);
        }

        private static void addTo(Span span, Outcome outcome) {
            String reason = outcome.publishedReason();
            span.setAttribute(Attributes.STATUS, outcome.publishedStatus())
                    .setAttribute(Attributes.MOVED, outcome.moved());
            if (reason != null) {
                span.setAttribute(Attributes.REASON, reason);
            }
            if (outcome.status() == Status.FAILED) {
                span.setStatus(StatusCode.ERROR, outcome.message());
            }
        }
    }
}
