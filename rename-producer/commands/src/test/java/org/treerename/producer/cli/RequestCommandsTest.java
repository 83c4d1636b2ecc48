package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Parking;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.Waiting;
import org.treerename.kafka.RequestCodec;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.process.ProcessState;
import org.treerename.producer.InMemoryKafka;
import org.treerename.producer.OutcomeTexts;
import org.treerename.producer.cli.Requests.Page;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.tree.Document;

/**
 * Tests the commands that read the journal. The journal contains at most one rename, and at most one earlier undo of
 * this rename.
 */
class RequestCommandsTest {

    private static final Instant REQUESTED = Instant.parse("2026-03-01T10:00:00Z");
    private static final RenameRequest REQUEST = new RenameRequest("r-1", "files", "/a", "/b", OnExisting.FAIL, "me");
    private static final RenameRequest REVERSE =
            new RenameRequest("undo-r-1", "files", "/b", "/a", OnExisting.FAIL, "undo of r-1");

    private final InMemoryKafka kafka = new InMemoryKafka(0);
    private Optional<JournalEntry> known = Optional.empty();
    private Optional<JournalEntry> earlierUndo = Optional.empty();

    private record Ended(int code, String out, String err) {}

    /** A journal that returns {@code earlierUndo} for its id, and {@code known} for any id that is not that of an undo. */
    private final class Journal implements JournalRequests {
        @Override
        public Optional<ObjectNode> read(String requestId) {
            return known.map(entry -> OverviewJson.of(new OwnedEntry(entry, Optional.of(ProcessState.LIVE))));
        }

        @Override
        public Optional<JournalEntry> find(String requestId) {
            return requestId.startsWith("undo-")
                    ? earlierUndo.filter(undo -> undo.requestId().equals(requestId))
                    : known;
        }

        @Override
        public Cancelling cancel(String requestId, String by) {
            assertThat(by).isEqualTo("me");
            return known.<Cancelling>map(entry -> switch (entry.state()) {
                        case HELD -> new Cancelling.NoRename();
                        case CANCELLED -> new Cancelling.Cancelled(OverviewJson.of(entry));
                        default -> new Cancelling.AlreadyDecided(OverviewJson.of(entry));
                    })
                    .orElseGet(Cancelling.Unknown::new);
        }

        @Override
        public Page list(Filter filter, @Nullable String after, int most) {
            asked.add(filter + " " + after + " " + most);
            return pages.remove();
        }

        @Override
        public void close() {
            // there is nothing to close
        }
    }

    private final List<String> asked = new ArrayList<>();
    private final Queue<Page> pages = new ArrayDeque<>();

    private static JournalEntry entry(State state, @Nullable String outcome) {
        boolean isDecided =
                List.of(State.MOVING, State.PARKED, State.DONE, State.CLOSED).contains(state);
        Decision decision = new Decision(REQUESTED.plusSeconds(1), "worker-1", Map.of("files-1", "uuid"), List.of());
        return entry(state, isDecided ? decision : null, outcome);
    }

    private static JournalEntry entry(State state, @Nullable Decision decision, @Nullable String outcome) {
        return entry(REQUEST, state, decision, outcome);
    }

    private static JournalEntry entry(
            RenameRequest request, State state, @Nullable Decision decision, @Nullable String outcome) {
        return TestEntry.of(request)
                .place(new RecordPosition("rename.requests", 0, 7))
                .at(REQUESTED)
                .in(state)
                .owner("worker-1", 1, "hold")
                .waiting(new Waiting(2, "r-0", "/a is held exclusively by request r-0 of process worker-2"))
                .progress(new Progress(5_000, 1_200, 1))
                .decision(decision)
                .ending(outcome == null ? null : new Ending(REQUESTED.plusSeconds(3), outcome))
                .parking(new Parking("1 documents cannot be moved", List.of("id: 400")))
                .build();
    }

    private Ended run(String... arguments) {
        return run(
                Map.of("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092", "ELASTICSEARCH_URL", "http://localhost:9200"),
                arguments);
    }

    private Ended run(Map<String, String> environment, String... arguments) {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("TREE_RENAME_REQUESTED_BY", "me");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Connectors connectors = new Connectors(
                settings -> kafka.producer(),
                (settings, request) -> {
                    throw new AssertionError("these commands must not start a dry run");
                },
                settings -> {
                    assertThat(settings.urls()).containsExactly(URI.create("http://localhost:9200"));
                    return new Journal();
                });
        int code = new Main(connectors, all, new PrintWriter(out, true), new PrintWriter(err, true))
                .run(kafka.time(), arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    @Test
    void status_shows_the_entry_of_a_moving_rename() {
        known = Optional.of(entry(State.MOVING, null));

        Ended ended = run("status", "r-1");

        assertThat(ended.code()).isZero();
        assertThat(ended.out()).matches("""
                /a to /b, request r-1, in files
                moving: the rename is decided, and its documents are moving
                1200 of 5000 documents moved, in 1 pass
                owned by worker-1, which is live
                locks refused 2 times; the last reason: /a is held exclusively by request r-0 of process worker-2
                requested at 2026-03-01T10:00:00Z, decided at 2026-03-01T10:00:01Z; \\d+\\.\\d s so far
                """);
    }

    @Test
    void status_shows_the_outcome_of_an_ended_rename() {
        known = Optional.of(entry(State.CLOSED, OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000))));

        assertThat(run("status", "r-1").out())
                .contains("closed: ended; the locks are released\n")
                .doesNotContain("owned by")
                .contains("ended at 2026-03-01T10:00:03Z; 3.0 s\n")
                .endsWith("completed: " + OutcomeTexts.completed("r-1", 5_000).message() + "\n");
    }

    private static JournalEntry finishedByAJanitor() {
        String outcome = OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000))
                .replace("\"rolled_forward\":false", "\"rolled_forward\":true")
                .replaceFirst("\"process_id\":\"[^\"]*\"", "\"process_id\":\"janitor-1\"");
        return entry(State.CLOSED, outcome);
    }

    @Test
    void list_marks_a_number_of_moved_documents_that_may_be_too_small() {
        pages.add(new Page(List.of(listed(finishedByAJanitor())), null));

        assertThat(run("list").out()).contains("/b           >=1200/5000  ");
    }

    @Test
    void status_names_the_process_that_finished_the_rename_of_a_dead_process() {
        known = Optional.of(finishedByAJanitor());

        assertThat(run("status", "r-1").out())
                .contains("\nat least 1200 of 5000 documents moved, in 1 pass\n")
                .endsWith("finished by janitor-1, which took over the rename of a dead process\n");
    }

    @Test
    void status_shows_why_a_rename_is_parked() {
        known = Optional.of(entry(State.PARKED, null));

        assertThat(run("status", "r-1").out())
                .contains("parked: the rename is decided, but a document cannot be moved")
                .contains("parked because 1 documents cannot be moved, the first documents: id: 400\n");
    }

    @Test
    void status_as_json_is_one_object_with_the_outcome_in_it() {
        String outcome = OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000));
        known = Optional.of(entry(State.CLOSED, outcome));

        assertThat(run("status", "r-1", "-o", "json"))
                .isEqualTo(new Ended(
                        0,
                        "{\"request_id\":\"r-1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\","
                                + "\"directories\":null,\"state\":\"closed\",\"process_id\":\"worker-1\","
                                + "\"process_state\":\"live\",\"epoch\":1,\"requested_by\":\"me\","
                                + "\"requested_at\":\"2026-03-01T10:00:00Z\",\"committed_at\":\"2026-03-01T10:00:01Z\","
                                + "\"finished_at\":\"2026-03-01T10:00:03Z\","
                                + "\"expected\":5000,\"moved\":1200,\"passes\":1,\"refusals\":2,\"refused_by\":\"r-0\","
                                + "\"refusal\":\"/a is held exclusively by request r-0 of process worker-2\","
                                + "\"parked\":null,\"outcome\":" + outcome + ",\"seconds\":3.0}\n",
                        ""));
    }

    @ParameterizedTest
    @CsvSource({"status", "cancel", "undo"})
    void exits_with_5_for_a_request_that_the_journal_does_not_know(String command) {
        assertThat(run(command, "r-1"))
                .isEqualTo(new Ended(
                        5,
                        "",
                        "the journal does not know request r-1: either no worker has begun the request yet, or the"
                                + " request was never sent, or its entry was deleted after its retention\n"));
        assertThat(run(command, "r-1", "-o", "json"))
                .isEqualTo(new Ended(5, "{\"request_id\":\"r-1\",\"answer\":\"unknown\"}\n", ""));
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void cancel_exits_with_0_and_needs_no_kafka() {
        String outcome = OutcomeTexts.json(OutcomeTexts.outcome("r-1", Status.CANCELLED, null, "cancelled by me", 0));
        known = Optional.of(entry(State.CANCELLED, outcome));
        Map<String, String> elasticsearch = Map.of("ELASTICSEARCH_URL", "http://localhost:9200");

        assertThat(run(elasticsearch, "cancel", "r-1"))
                .isEqualTo(new Ended(0, "cancelled: /a to /b, request r-1\n", ""));
        assertThat(run(elasticsearch, "cancel", "r-1", "-o", "json").out())
                .isEqualTo("{\"request_id\":\"r-1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\","
                        + "\"state\":\"cancelled\",\"answer\":\"cancelled\",\"outcome\":" + outcome + "}\n");
    }

    @Test
    void cancel_exits_with_1_for_a_decided_rename() {
        known = Optional.of(entry(State.MOVING, null));
        assertThat(run("cancel", "r-1"))
                .isEqualTo(new Ended(
                        1, "already decided: it is moving, and will be finished (/a to /b, request r-1)\n", ""));

        known = Optional.of(entry(
                State.REJECTED,
                OutcomeTexts.json(OutcomeTexts.rejected("r-1", Reason.DESTINATION_EXISTS, "/b exists"))));
        assertThat(run("cancel", "r-1").out())
                .isEqualTo("already decided: rejected: destination_exists: /b exists (/a to /b, request r-1)\n");
        assertThat(run("cancel", "r-1", "-o", "json"))
                .returns(1, Ended::code)
                .satisfies(ended -> assertThat(ended.out()).contains("\"answer\":\"already_decided\""));
        assertThat(kafka.sent()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"undo r-1 --no-wait", "cancel r-1 --undo --no-wait"})
    void undo_sends_the_reverse_of_a_decided_rename_to_be_processed_after_it(String arguments) {
        known = Optional.of(entry(State.MOVING, null));

        assertThat(run(arguments.split(" "))).isEqualTo(new Ended(0, "undo-r-1\n", ""));

        assertThat(kafka.sent()).hasSize(1);
        assertThat(kafka.sent().get(0).value()).isEqualTo(RequestCodec.encode(REVERSE, List.of("r-1")));
    }

    @Test
    void undo_waits_for_the_outcome_of_the_reverse_and_prints_it() {
        known = Optional.of(entry(State.CLOSED, OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000))));
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 5_000)));

        assertThat(run("undo", "r-1"))
                .isEqualTo(new Ended(0, "renamed /b to /a: 5000 documents moved (request undo-r-1, 0.0 s)\n", ""));
    }

    @Test
    void a_second_undo_says_that_the_rename_is_undone_already() {
        String outcome = OutcomeTexts.json(OutcomeTexts.completed("undo-r-1", 5_000));
        known = Optional.of(entry(State.CLOSED, OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000))));
        earlierUndo = Optional.of(entry(
                REVERSE,
                State.CLOSED,
                new Decision(REQUESTED.plusSeconds(1), "worker-1", Map.of("files-1", "uuid"), List.of()),
                outcome));
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 5_000)));

        assertThat(run("undo", "r-1"))
                .isEqualTo(new Ended(
                        0,
                        "renamed /b to /a: 5000 documents moved (request undo-r-1, 0.0 s)\n",
                        "the rename was already undone by request undo-r-1\n"));
    }

    @Test
    void undo_with_json_prints_the_published_outcome_of_the_reverse() {
        known = Optional.of(entry(State.CLOSED, OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000))));
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 5_000)));

        assertThat(run("undo", "r-1", "-o", "json").out())
                .isEqualTo(OutcomeTexts.json(OutcomeTexts.completed("undo-r-1", 5_000)) + "\n");
    }

    @Test
    void undo_exits_with_3_without_an_outcome_in_time_and_explains_how_to_wait_again() {
        known = Optional.of(entry(State.MOVING, null));

        assertThat(run("undo", "r-1", "--timeout", "10ms"))
                .isEqualTo(new Ended(
                        3,
                        "",
                        "no outcome within 10ms; request undo-r-1 may still be processed; run rename undo 'r-1'"
                                + " to wait again; the request is processed only once; to see whether it waits, moves"
                                + " or is parked, run rename status 'undo-r-1'; to list the live workers, run"
                                + " rename-admin processes\n"));
    }

    @Test
    void the_version_of_the_documents_is_in_the_reverse() {
        known = Optional.of(entry(State.MOVING, null));

        run("undo", "r-1", "--no-wait", "--document-version", "17");

        assertThat(kafka.sent().get(0).value()).isEqualTo(RequestCodec.encode(REVERSE.withVersion(17), List.of("r-1")));
        assertThat(run("undo", "r-1", "--document-version", "0").code()).isEqualTo(2);
    }

    @Test
    void undo_exits_with_1_for_a_rename_that_replaced_a_document() {
        Document.Ref replaced = new Document.Ref("files-1", "id", null, new Version(1, 1));
        known = Optional.of(entry(
                State.CLOSED,
                new Decision(REQUESTED.plusSeconds(1), "worker-1", Map.of("files-1", "uuid"), List.of(replaced)),
                OutcomeTexts.json(OutcomeTexts.completed("r-1", 1))));

        assertThat(run("undo", "r-1"))
                .isEqualTo(new Ended(
                        1,
                        "not reversible: replaced: the rename replaced a document at /b; the replaced document cannot"
                                + " be restored (/a to /b, request r-1)\n",
                        ""));
        assertThat(run("cancel", "r-1", "--undo", "-o", "json"))
                .isEqualTo(new Ended(
                        1,
                        "{\"request_id\":\"r-1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\","
                                + "\"state\":\"closed\",\"answer\":\"not_reversible\",\"reason\":\"replaced\","
                                + "\"message\":\"the rename replaced a document at /b; the replaced document cannot be"
                                + " restored\"}\n",
                        ""));
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void undo_exits_with_1_for_a_rename_that_is_not_decided() {
        known = Optional.of(entry(State.PREPARED, null));

        assertThat(run("undo", "r-1"))
                .returns(1, Ended::code)
                .satisfies(ended -> assertThat(ended.out()).startsWith("not reversible: not_decided: "));
    }

    @Test
    void refuses_a_missing_address_and_a_missing_or_invalid_id() {
        known = Optional.of(entry(State.MOVING, null));
        Map<String, String> elasticsearch = Map.of("ELASTICSEARCH_URL", "http://localhost:9200");

        assertThat(run(Map.of(), "status", "r-1").code()).isEqualTo(2);
        assertThat(run(elasticsearch, "undo", "r-1").code()).isEqualTo(2);
        assertThat(run(elasticsearch, "cancel", "r-1", "--undo").code()).isEqualTo(2);
        assertThat(run("status", "a\u0007b").err()).contains("a request_id must not contain a control character");
        assertThat(run("status").code()).isEqualTo(2);
    }

    @Test
    void exits_with_3_if_elasticsearch_does_not_answer() {
        StringWriter err = new StringWriter();
        Connectors connectors = new Connectors(
                settings -> kafka.producer(),
                (settings, request) -> {
                    throw new AssertionError("these commands must not start a dry run");
                },
                settings -> {
                    throw new NoAnswerException("no node answers", null);
                });

        int code = new Main(connectors, Map.of(), new PrintWriter(new StringWriter()), new PrintWriter(err, true))
                .run(kafka.time(), "status", "r-1", "--elasticsearch-url", "http://localhost:9200");

        assertThat(code).isEqualTo(3);
        assertThat(err).hasToString("no node answers\n");
    }

    private static ObjectNode listed(JournalEntry entry) {
        return OverviewJson.of(new OwnedEntry(entry, Optional.of(ProcessState.LIVE)));
    }

    @Test
    void list_prints_the_pages_up_to_its_limit() {
        pages.add(new Page(List.of(listed(entry(State.MOVING, null))), "next"));
        pages.add(new Page(
                List.of(listed(entry(State.CLOSED, OutcomeTexts.json(OutcomeTexts.completed("r-1", 5_000))))), "more"));

        assertThat(run("list", "--limit=2", "--namespace=files", "--path=/a"))
                .isEqualTo(new Ended(0, """
                        REQUEST  STATE   NAMESPACE  SOURCE  DESTINATION  MOVED      REQUESTED             BY
                        r-1      moving  files      /a      /b           1200/5000  2026-03-01T10:00:00Z  me
                        r-1      closed: completed  files      /a      /b           1200/5000  2026-03-01T10:00:00Z  me
                        """, "rename: the list may be incomplete; a larger --limit shows more\n"));
        assertThat(asked).hasSize(2);
        assertThat(asked.getFirst())
                .contains("namespace=files", "prefix=/a")
                .endsWith("] null 2")
                .doesNotContain("HELD");
        assertThat(asked.getLast()).endsWith("] next 1");
    }

    @Test
    void list_filters_by_state_and_prints_an_array() {
        pages.add(new Page(List.of(listed(entry(State.PARKED, null))), null));
        Ended parked = run("list", "--parked", "-o", "json");
        pages.add(new Page(List.of(), null));
        Ended none = run("list", "--state=moving,done", "-o", "json");
        pages.add(new Page(List.of(), null));
        run("list", "--running");

        assertThat(parked.code()).isZero();
        assertThat(parked.out()).startsWith("[\n{\"request_id\":\"r-1\",").endsWith("}\n]\n");
        assertThat(none).isEqualTo(new Ended(1, "[]\n", "rename: no request was found\n"));
        assertThat(asked.get(0)).contains("states=[PARKED]");
        assertThat(asked.get(1)).contains("MOVING", "DONE").doesNotContain("PREPARED", "PARKED");
        assertThat(asked.get(2)).contains("PREPARED", "RETRY", "MOVING", "DONE").doesNotContain("PARKED", "CLOSED");
    }

    @Test
    void list_refuses_an_unknown_state_and_two_filters_by_state() {
        assertThat(run("list", "--state=held").err())
                .startsWith("rename: expected --state to be prepared, retry, moving, parked, done, rejected, failed,"
                        + " cancelled, closed, was held");
        assertThat(run("list", "--running", "--parked").code()).isEqualTo(2);
        assertThat(run("list", "--limit=0").code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"status", "cancel", "undo"})
    void help_has_an_example_and_exits_with_0(String command) {
        assertThat(run(command, "--help"))
                .returns(0, Ended::code)
                .satisfies(ended -> assertThat(ended.out())
                        .contains("Usage: rename " + command)
                        .contains("Exit codes:")
                        .contains("nightly-2026-08-01"));
    }
}
