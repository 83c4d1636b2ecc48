package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.lock.Hold;
import org.treerename.observe.CurrentTrace;
import org.treerename.observe.Spans;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.request.Outcomes;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.TraceContext;
import org.treerename.store.Interference;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.TreeStore;

/** Tests the spans that renames add to the traces of their requesters. */
class TracedRenamesTest {

    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String REQUESTER = "b7ad6b7169203331";
    private static final TraceContext REQUEST_TRACE =
            new TraceContext("00-" + TRACE_ID + "-" + REQUESTER + "-01", "vendor=1");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final World world = new World().withTree();
    private final List<Optional<TraceContext>> published = new ArrayList<>();

    @AfterEach
    void nothing_is_left_on_the_thread() {
        sdk.close();
        assertThat(Context.current()).isSameAs(Context.root());
    }

    private Spans spans() {
        return Spans.to(sdk);
    }

    private Stores traced(Spans spans) {
        return traced(spans, world.stores());
    }

    private Stores traced(Spans spans, Stores stores) {
        Outcomes noting = (requestId, outcome) -> {
            published.add(CurrentTrace.get());
            stores.outcomes().publish(requestId, outcome);
        };
        return spans.traced(new Stores(stores.namespaces(), stores.journal(), stores.locks(), stores.tree(), noting));
    }

    private Answer runTraced(Spans spans, Delivery delivery) {
        return runTraced(spans, traced(spans), delivery);
    }

    private Answer runTraced(Spans spans, Stores stores, Delivery delivery) {
        Renamer renamer = new Renamer(stores, world.context("worker-1"));
        return spans.delivered("worker-1", delivery, () -> renamer.run(delivery), Answer::problem);
    }

    private Result rolledForward(Spans spans) {
        RollForward rollForward = world.rollForward("janitor-1", traced(spans));
        return spans.takingOver("janitor-1", () -> rollForward.ofDead("r1"));
    }

    private static Delivery delivery(String source, String destination) {
        return Deliveries.of(
                Deliveries.rename("r1", "files", source, destination).in(REQUEST_TRACE));
    }

    /** Returns the finished spans, sorted by the times at which they ended. */
    private List<SpanData> finished() {
        return exporter.getFinishedSpanItems();
    }

    private SpanData finished(String name) {
        return finished().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String text(SpanData span, String attribute) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(attribute)));
    }

    @Test
    void a_delivered_rename_is_a_span_in_the_trace_of_its_requester_with_its_steps_below_it() {
        runTraced(spans(), delivery("/a", "/b"));

        assertThat(finished())
                .extracting(SpanData::getName)
                .containsExactly("acquire", "check", "commit", "pass", "pass", "rename");
        SpanData rename = finished("rename");
        assertThat(rename.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(rename.getTraceId()).isEqualTo(TRACE_ID);
        assertThat(rename.getParentSpanId()).isEqualTo(REQUESTER);
        assertThat(rename.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(rename.getAttributes().asMap())
                .containsEntry(AttributeKey.stringKey("tree_rename.request_id"), "r1")
                .containsEntry(AttributeKey.stringKey("tree_rename.namespace"), "files")
                .containsEntry(AttributeKey.stringKey("tree_rename.process_id"), "worker-1")
                .containsEntry(AttributeKey.stringKey("tree_rename.status"), "completed")
                .containsEntry(AttributeKey.longKey("tree_rename.moved"), 5L)
                .containsEntry(AttributeKey.stringKey("messaging.destination.name"), "rename.requests")
                .containsEntry(AttributeKey.stringKey("messaging.destination.partition.id"), "0")
                .containsEntry(AttributeKey.longKey("messaging.kafka.offset"), 0L)
                .doesNotContainKey(AttributeKey.stringKey("tree_rename.reason"));
        SpanData commit = finished("commit");
        assertThat(finished())
                .filteredOn(span -> span != rename && span != commit)
                .allSatisfy(step -> {
                    assertThat(step.getTraceId()).isEqualTo(TRACE_ID);
                    assertThat(step.getParentSpanId()).isEqualTo(rename.getSpanId());
                });
        // the first pass reads its first page before the commit
        assertThat(commit.getParentSpanId()).isEqualTo(finished("pass").getSpanId());
        assertThat(finished())
                .filteredOn(span -> span.getName().equals("pass"))
                .extracting(span -> span.getAttributes().get(AttributeKey.longKey("tree_rename.found")))
                .containsExactly(5L, 0L);
    }

    @Test
    void publishes_the_outcome_in_the_span_of_the_rename() {
        runTraced(spans(), delivery("/a", "/b"));

        assertThat(published)
                .containsExactly(Optional.of(new TraceContext(
                        "00-" + TRACE_ID + "-" + finished("rename").getSpanId() + "-01", "vendor=1")));
    }

    @Test
    void the_span_of_a_rejected_rename_has_the_reason_and_no_error() {
        runTraced(spans(), delivery("/none", "/b"));

        assertThat(text(finished("rename"), "tree_rename.status")).isEqualTo("rejected");
        assertThat(text(finished("rename"), "tree_rename.reason")).isEqualTo("source_not_found");
        assertThat(finished("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void the_span_of_a_failed_rename_has_an_error_and_a_span_for_each_attempt() {
        Hold other = world.heldByAnother("/a", "/x");
        world.otherHoldsAgainAfter(Duration.ofSeconds(1), other, "/a", "/x");

        runTraced(spans(), delivery("/a", "/b"));

        assertThat(text(finished("rename"), "tree_rename.reason")).isEqualTo("locked");
        assertThat(finished("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(finished())
                .filteredOn(span -> span.getName().equals("acquire"))
                .hasSize(2)
                .allMatch(span ->
                        Boolean.FALSE.equals(span.getAttributes().get(AttributeKey.booleanKey("tree_rename.taken"))));
    }

    @Test
    void the_span_of_a_parked_rename_has_an_error() {
        Stores refusing = world.stores(new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("a1")));
        Spans spans = spans();

        Answer answer = runTraced(spans, traced(spans, refusing), delivery("/a", "/b"));

        assertThat(answer).isEqualTo(new Answer.Parked());
        assertThat(text(finished("rename"), "tree_rename.status")).isEqualTo("parked");
        assertThat(finished("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }

    @Test
    void a_request_without_a_valid_trace_begins_a_new_trace() {
        TraceContext malformed = new TraceContext("00-" + "0".repeat(32) + "-" + REQUESTER + "-01", null);

        runTraced(spans(), Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));
        runTraced(
                spans(),
                Deliveries.of(Deliveries.rename("r2", "files", "/b", "/c").in(malformed)));

        assertThat(finished())
                .filteredOn(span -> span.getName().equals("rename"))
                .hasSize(2)
                .allMatch(span -> !span.getParentSpanContext().isValid());
    }

    @Test
    void an_invalid_request_is_a_span_in_its_trace() {
        runTraced(spans(), Deliveries.of(new InvalidRequest("r1", "me", "source must be a string", REQUEST_TRACE)));

        assertThat(finished("rename").getParentSpanId()).isEqualTo(REQUESTER);
        assertThat(text(finished("rename"), "tree_rename.reason")).isEqualTo("invalid_request");
    }

    @Test
    void records_an_unexpected_exception_in_the_span_and_throws_it() {
        Spans spans = spans();

        assertThatThrownBy(() -> spans.delivered(
                        "worker-1",
                        delivery("/a", "/b"),
                        () -> {
                            throw new IllegalStateException("unexpected");
                        },
                        Answer::problem))
                .hasMessage("unexpected");

        assertThat(finished("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(finished("rename").getEvents()).hasSize(1);
    }

    @Test
    void a_take_over_continues_the_trace_of_the_requester() {
        dieAfterCommit("/a", "/b");

        Result result = rolledForward(spans());

        assertThat(result).isEqualTo(Result.CLOSED);
        SpanData rollForward = finished("roll forward");
        assertThat(rollForward.getTraceId()).isEqualTo(TRACE_ID);
        assertThat(rollForward.getParentSpanId()).isEqualTo(REQUESTER);
        assertThat(text(rollForward, "tree_rename.process_id")).isEqualTo("janitor-1");
        assertThat(text(rollForward, "tree_rename.status")).isEqualTo("completed");
        assertThat(finished())
                .filteredOn(span -> span.getName().equals("pass"))
                .isNotEmpty()
                .allMatch(span -> span.getParentSpanId().equals(rollForward.getSpanId()));
        assertThat(published)
                .extracting(trace -> trace.orElseThrow().traceparent())
                .containsExactly("00-" + TRACE_ID + "-" + rollForward.getSpanId() + "-01");
    }

    /** Runs the rename in a worker that dies after the commit and the first pass, before the next scan. */
    private void dieAfterCommit(String source, String destination) {
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            throw new IllegalStateException("dead");
        }));
        assertThatThrownBy(() -> world.renamer().run(delivery(source, destination)))
                .hasMessage("dead");
        world.calls.interfere(Interference.none());
        world.process("worker-1", ProcessState.FENCED);
    }

    @Test
    void creates_no_span_for_a_rename_that_needs_no_take_over() {
        runTraced(spans(), delivery("/a", "/b"));
        exporter.reset();

        Result result = rolledForward(spans());

        assertThat(result).isEqualTo(Result.LEFT_ALONE);
        assertThat(finished()).isEmpty();
    }

    @Test
    void creates_no_span_outside_of_a_rename() {
        Stores stores = traced(spans());
        stores.tree().scan(World.FILES, new TreePath("/a"), TreeStore.Reach.AT).close();

        assertThat(finished()).isEmpty();
    }

    @Test
    void publishes_the_outcome_in_the_trace_of_the_requester_if_tracing_is_off() {
        Answer answer = runTraced(Spans.none(), delivery("/a", "/b"));

        assertThat(answer).isInstanceOf(Answer.Published.class);
        assertThat(published).containsExactly(Optional.of(REQUEST_TRACE));
    }
}
