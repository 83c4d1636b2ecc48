package org.treerename.rename;

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
import org.treerename.lock.Hold;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.rename.ParsedRequest.InvalidRequest;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RollForward.Result;
import org.treerename.store.Interference;
import org.treerename.trace.CurrentTrace;
import org.treerename.trace.Spans;
import org.treerename.wire.JsonOutcomeCodec;

/** What renames leave in the traces of those who asked for them. */
class TracedRenamesTest {

    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String ASKER = "b7ad6b7169203331";
    private static final TraceContext ASKED = new TraceContext("00-" + TRACE_ID + "-" + ASKER + "-01", "vendor=1");

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
        return spans.traced(
                new Stores(stores.namespaces(), stores.journal(), stores.locks(), stores.tree(), noting),
                new JsonOutcomeCodec()::decode);
    }

    private Answer carried(Spans spans, Delivery delivery) {
        return carried(spans, traced(spans), delivery);
    }

    private Answer carried(Spans spans, Stores stores, Delivery delivery) {
        Renamer renamer = new Renamer(stores, new JsonOutcomeCodec(), world.context("worker-1"));
        return spans.delivered("worker-1", delivery, () -> renamer.run(delivery));
    }

    private Result rolledForward(Spans spans) {
        RollForward rollForward = world.rollForward("janitor-1", traced(spans));
        return spans.takingOver("janitor-1", () -> rollForward.ofDead("r1"));
    }

    private static Delivery delivery(String source, String destination) {
        return Deliveries.of(
                Deliveries.rename("r1", "files", source, destination).in(ASKED));
    }

    /** In the order of their ends. */
    private List<SpanData> told() {
        return exporter.getFinishedSpanItems();
    }

    private SpanData told(String name) {
        return told().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String text(SpanData span, String attribute) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(attribute)));
    }

    @Test
    void a_delivered_rename_is_a_span_in_the_trace_of_who_asked_with_each_step_below_it() {
        carried(spans(), delivery("/a", "/b"));

        assertThat(told())
                .extracting(SpanData::getName)
                .containsExactly("acquire", "check", "commit", "pass", "pass", "rename");
        SpanData rename = told("rename");
        assertThat(rename.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(rename.getTraceId()).isEqualTo(TRACE_ID);
        assertThat(rename.getParentSpanId()).isEqualTo(ASKER);
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
        assertThat(told()).filteredOn(span -> span != rename).allSatisfy(step -> {
            assertThat(step.getTraceId()).isEqualTo(TRACE_ID);
            assertThat(step.getParentSpanId()).isEqualTo(rename.getSpanId());
        });
        assertThat(told())
                .filteredOn(span -> span.getName().equals("pass"))
                .extracting(span -> span.getAttributes().get(AttributeKey.longKey("tree_rename.found")))
                .containsExactly(5L, 0L);
    }

    @Test
    void the_outcome_is_published_within_the_renames_span() {
        carried(spans(), delivery("/a", "/b"));

        assertThat(published)
                .containsExactly(Optional.of(
                        new TraceContext("00-" + TRACE_ID + "-" + told("rename").getSpanId() + "-01", "vendor=1")));
    }

    @Test
    void a_rejected_rename_says_why_and_has_not_failed() {
        carried(spans(), delivery("/none", "/b"));

        assertThat(text(told("rename"), "tree_rename.status")).isEqualTo("rejected");
        assertThat(text(told("rename"), "tree_rename.reason")).isEqualTo("source_not_found");
        assertThat(told("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void a_failed_rename_has_failed_and_each_attempt_is_told() {
        Hold other = world.heldByAnother("/a", "/x");
        world.otherHoldsAgainAfter(Duration.ofSeconds(1), other, "/a", "/x");

        carried(spans(), delivery("/a", "/b"));

        assertThat(text(told("rename"), "tree_rename.reason")).isEqualTo("locked");
        assertThat(told("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(told())
                .filteredOn(span -> span.getName().equals("acquire"))
                .hasSize(2)
                .allMatch(span ->
                        Boolean.FALSE.equals(span.getAttributes().get(AttributeKey.booleanKey("tree_rename.taken"))));
    }

    @Test
    void a_parked_rename_has_failed_and_not_only_its_pass() {
        Stores refusing = world.stores(new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("a1")));
        Spans spans = spans();

        Answer answer = carried(spans, traced(spans, refusing), delivery("/a", "/b"));

        assertThat(answer).isEqualTo(new Answer.Parked());
        assertThat(text(told("rename"), "tree_rename.status")).isEqualTo("parked");
        assertThat(told("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }

    @Test
    void a_request_without_a_trace_or_with_a_malformed_one_begins_its_own() {
        TraceContext nobodys = new TraceContext("00-" + "0".repeat(32) + "-" + ASKER + "-01", null);

        carried(spans(), Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));
        carried(
                spans(),
                Deliveries.of(Deliveries.rename("r2", "files", "/b", "/c").in(nobodys)));

        assertThat(told())
                .filteredOn(span -> span.getName().equals("rename"))
                .hasSize(2)
                .allMatch(span -> !span.getParentSpanContext().isValid());
    }

    @Test
    void an_invalid_request_is_told_in_its_trace_too() {
        carried(spans(), Deliveries.of(new InvalidRequest("r1", "me", "source must be a string", ASKED)));

        assertThat(told("rename").getParentSpanId()).isEqualTo(ASKER);
        assertThat(text(told("rename"), "tree_rename.reason")).isEqualTo("invalid_request");
    }

    @Test
    void what_fails_unexpectedly_is_in_the_span_and_goes_on_to_the_caller() {
        Spans spans = spans();

        assertThatThrownBy(() -> spans.delivered("worker-1", delivery("/a", "/b"), () -> {
                    throw new IllegalStateException("unexpected");
                }))
                .hasMessage("unexpected");

        assertThat(told("rename").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(told("rename").getEvents()).hasSize(1);
    }

    @Test
    void a_take_over_goes_on_in_the_trace_of_who_asked() {
        carriedAndDead("/a", "/b");

        Result result = rolledForward(spans());

        assertThat(result).isEqualTo(Result.CLOSED);
        SpanData rollForward = told("roll forward");
        assertThat(rollForward.getTraceId()).isEqualTo(TRACE_ID);
        assertThat(rollForward.getParentSpanId()).isEqualTo(ASKER);
        assertThat(text(rollForward, "tree_rename.process_id")).isEqualTo("janitor-1");
        assertThat(text(rollForward, "tree_rename.status")).isEqualTo("completed");
        assertThat(told())
                .filteredOn(span -> span.getName().equals("pass"))
                .isNotEmpty()
                .allMatch(span -> span.getParentSpanId().equals(rollForward.getSpanId()));
        assertThat(published)
                .extracting(trace -> trace.orElseThrow().traceparent())
                .containsExactly("00-" + TRACE_ID + "-" + rollForward.getSpanId() + "-01");
    }

    /** It was decided; nothing has moved yet. */
    private void carriedAndDead(String source, String destination) {
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            throw new IllegalStateException("dead");
        }));
        assertThatThrownBy(() -> world.renamer().run(delivery(source, destination)))
                .hasMessage("dead");
        world.calls.interfere(Interference.none());
        world.process("worker-1", ProcessState.FENCED);
    }

    @Test
    void a_look_at_what_needs_nobody_leaves_no_span() {
        carried(spans(), delivery("/a", "/b"));
        exporter.reset();

        Result result = rolledForward(spans());

        assertThat(result).isEqualTo(Result.LEFT_ALONE);
        assertThat(told()).isEmpty();
    }

    @Test
    void what_nobody_carries_leaves_no_span() {
        Stores stores = traced(spans());
        stores.tree().scan(World.FILES, new TreePath("/a"), TreeStore.Reach.AT).close();

        assertThat(told()).isEmpty();
    }

    @Test
    void where_nobody_listens_all_goes_on_and_the_outcome_is_in_the_trace_of_who_asked() {
        Answer answer = carried(Spans.none(), delivery("/a", "/b"));

        assertThat(answer).isInstanceOf(Answer.Published.class);
        assertThat(published).containsExactly(Optional.of(ASKED));
    }
}
