package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.crash.CrashPoint;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.rename.Cancellation;
import org.treerename.rename.Cancellation.Answer;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.testservers.TestServers;

/**
 * Tests {@code rename status}, {@code cancel} and {@code undo} with real workers and a real janitor. The system
 * property {@code races} sets the number of requests that are cancelled while a worker processes them.
 */
final class CancelIT {

    private static final int LARGE = 300;
    private static final int RACES = Integer.getInteger("races", 30);
    private static final int MAX_PAUSE_MILLIS = 40;

    private static Log log;
    private static Janitors janitors;

    private final Group group = Group.atTheEndOfTheLog();

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        janitors = Janitors.start(1);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        log.close();
    }

    private static Console.Ended rename(String command, String requestId, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of(command, requestId, "--output=json", "--elasticsearch-url=" + TestServers.elasticsearchUrl()));
        arguments.addAll(List.of(more));
        return Console.run(Console.RENAME, arguments);
    }

    private static Console.Ended withKafka(String command, String requestId, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(more));
        all.add("--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers());
        return rename(command, requestId, all.toArray(String[]::new));
    }

    private static Tree large() {
        Tree tree = Tree.create().directories("/a");
        for (int i = 0; i < LARGE; i++) {
            tree.files("/a/" + i);
        }
        return tree.index();
    }

    private static void assertStatus(String requestId, String status) {
        JsonNode outcome = log.outcome(requestId);
        assertThat(outcome.path("status").asText()).as("%s", outcome).isEqualTo(status);
    }

    private static void assertOneOutcome(String requestId, String status) {
        assertStatus(requestId, status);
        assertThat(new TreeSet<>(log.outcomes(requestId))).hasSize(1);
    }

    @Test
    void cancels_a_request_that_waits_for_locks_and_continues_with_its_successor() throws IOException {
        Tree tree = Tree.create().directories("/a", "/b").files("/a/1", "/b/1").index();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), "/a", holder);
        ObjectNode waiting = Requests.rename(tree.name(), "/a", "/c");
        ObjectNode after = Requests.rename(tree.name(), "/b", "/d");
        after.withArray("after").add(Requests.id(waiting));
        String id = Requests.id(waiting);
        try (Workers workers = Workers.start(1, group.option(), "--lock-wait=10m")) {
            log.send(0, waiting.toString());
            log.send(1, after.toString());
            // send the same request again, to another partition
            log.send(2, waiting.toString());
            Claims.awaitRefusal(tree.name(), Requests.id(waiting));

            Console.Ended status = rename("status", id);
            assertThat(status.code()).isZero();
            assertThatObject(status.json())
                    .returns("prepared", s -> s.path("state").asText())
                    .returns("/a", s -> s.path("source").asText())
                    .returns(holder, s -> s.path("refused_by").asText())
                    .returns("live", s -> s.path("process_state").asText())
                    .returns(true, s -> s.path("outcome").isNull())
                    .satisfies(s -> assertThat(workers.ids())
                            .contains(s.path("process_id").asText()));

            Console.Ended cancelled = rename("cancel", id, "--requested-by=somebody");
            assertThat(cancelled.code()).isZero();
            assertThat(cancelled.json().path("answer").asText()).isEqualTo("cancelled");

            assertStatus(id, "cancelled");
            assertThat(log.outcome(id)).isEqualTo(cancelled.json().path("outcome"));
            assertThat(log.outcome(id).path("message").asText())
                    .isEqualTo("cancelled by somebody before it was decided");
            Awaitility.await("both records have an outcome")
                    .atMost(Log.PATIENCE)
                    .until(() -> log.outcomes(id).size() > 1);
            assertStatus(Requests.id(after), "completed");

            Console.Ended again = rename("cancel", id);
            assertThat(again.code()).isZero();
            assertThat(again.json().path("outcome")).isEqualTo(cancelled.json().path("outcome"));
            Console.Ended undone = withKafka("undo", id);
            assertThat(undone.code()).isEqualTo(1);
            assertThat(undone.json().path("reason").asText()).isEqualTo("not_completed");
            assertThat(rename("status", UUID.randomUUID().toString()).code()).isEqualTo(5);
            assertThat(rename("cancel", UUID.randomUUID().toString()).code()).isEqualTo(5);
        }
        assertOneOutcome(id, "cancelled");
        Holding.release(tree.name(), "/a", holder);
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/a", "/a/1", "/d", "/d/1");
        changeCheck.assertGood(0);
        tree.assertNothingLeft();
    }

    @Test
    void a_janitor_closes_a_cancelled_request_of_a_dead_worker_before_its_lease_ends() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), "/a", holder);
        ObjectNode waiting = Requests.rename(tree.name(), "/a", "/c");
        try (Workers dying = Workers.start(1, group.option(), "--lock-wait=10m", "--lease=10m")) {
            log.send(0, waiting.toString());
            Claims.awaitRefusal(tree.name(), Requests.id(waiting));
            dying.processes().getFirst().kill();

            assertThat(rename("cancel", Requests.id(waiting)).code()).isZero();

            assertStatus(Requests.id(waiting), "cancelled");
            assertThat(dying.ids()).allMatch(id -> Services.state(id).equals("live"));
            // delete the process document, so that the next tests do not wait ten minutes for the end of the lease
            dying.ids().forEach(CancelIT::deleteProcess);
        }
        Holding.release(tree.name(), "/a", holder);
        assertOneOutcome(Requests.id(waiting), "cancelled");
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/a", "/a/1");
        changeCheck.assertGood(1);
        tree.assertNothingLeft();
    }

    private static void deleteProcess(String processId) {
        Es.send("DELETE", "/tree-rename-control/_doc/process:" + processId + "?refresh=true", "");
    }

    @Test
    void finishes_a_decided_request_and_undoes_it_once() throws IOException {
        Tree tree = large();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String id = Requests.id(request);
        Gate gate = Gate.at(CrashPoint.BETWEEN_PAGES, 2);
        try (Workers workers = Workers.instrumented(1, group.option(), "--page-size=100", gate.option())) {
            log.send(0, request.toString());
            gate.awaitReached();

            Console.Ended tooLate = rename("cancel", id);
            assertThat(tooLate.code()).isEqualTo(1);
            assertThatObject(tooLate.json())
                    .returns("already_decided", s -> s.path("answer").asText())
                    .returns("moving", s -> s.path("state").asText());
            Console.Ended status = rename("status", id);
            assertThat(status.json().path("expected").asLong()).isEqualTo(LARGE + 1);
            assertThat(status.json().path("moved").asLong()).isBetween(0L, (long) LARGE);
            assertThat(tree.paths().values().stream().filter(path -> path.startsWith("/b")))
                    .as("paths that have moved; the worker writes its progress into the entry about once a second")
                    .hasSizeBetween(1, LARGE);

            gate.open();
            Console.Ended undone = withKafka("cancel", id, "--undo", "--timeout=2m");
            assertThat(undone.code()).isZero();
            assertThatObject(undone.json())
                    .returns("undo-" + id, s -> s.path("request_id").asText())
                    .returns("completed", s -> s.path("status").asText());
            assertThat(withKafka("undo", id).out()).isEqualTo(undone.out());
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        assertOneOutcome(id, "completed");
        assertOneOutcome("undo-" + id, "completed");
        assertThat(tree.paths().values()).hasSize(LARGE + 1).allMatch(path -> (path + "/").startsWith("/a/"));
        changeCheck.assertGood(0);
        tree.assertNothingLeft();
    }

    @Test
    void refuses_to_undo_a_request_that_replaced_a_directory() throws IOException {
        Tree tree = Tree.create().directories("/a", "/b").files("/a/1").index();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b").put("on_existing", "replace");
        try (Workers workers = Workers.start(1, group.option())) {
            log.send(0, request.toString());
            assertStatus(Requests.id(request), "completed");

            Console.Ended undone = withKafka("undo", Requests.id(request));

            assertThat(undone.code()).isEqualTo(1);
            assertThatObject(undone.json())
                    .returns("not_reversible", s -> s.path("answer").asText())
                    .returns("replaced", s -> s.path("reason").asText());
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/b", "/b/1");
        changeCheck.assertGood(0);
        tree.assertNothingLeft();
    }

    /**
     * Each request has one outcome. The result of the cancellation agrees with this outcome and with the path of the
     * file.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void each_answer_in_a_race_with_the_commit_agrees_with_the_one_outcome(long seed) throws InterruptedException {
        Random random = new Random(seed);
        Tree tree = Tree.create().directories("/d");
        for (int i = 0; i < RACES; i++) {
            tree.files("/d/" + i);
        }
        tree.index();
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        Time time = new SystemTime();
        Map<String, Answer> results = new HashMap<>();
        List<ObjectNode> requests = new ArrayList<>();
        try (Workers workers = Workers.start(1, group.option());
                Elastic elastic =
                        Elastic.connect(Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)))) {
            Cancellation cancellation = new Cancellation(
                    new ElasticJournal(new ControlIndex(elastic)), time, Backoff.Factory.jittered(time));
            for (int i = 0; i < RACES; i++) {
                ObjectNode request = Requests.rename(tree.name(), "/d/" + i, "/d/renamed-" + i);
                requests.add(request);
                log.send(i % 8, request.toString());
                time.pause(Duration.ofMillis(random.nextInt(MAX_PAUSE_MILLIS)));
                Answer answer = cancellation.cancel(Requests.id(request), "me");
                while (answer instanceof Answer.NoEntry) {
                    answer = cancellation.cancel(Requests.id(request), "me");
                }
                results.put(Requests.id(request), answer);
            }
            requests.forEach(request -> assertStatus(
                    Requests.id(request),
                    results.get(Requests.id(request)) instanceof Answer.Cancelled ? "cancelled" : "completed"));
            assertThat(workers.processes()).allMatch(process -> process.isAlive());
        }
        requests.forEach(request ->
                assertThat(new TreeSet<>(log.outcomes(Requests.id(request)))).hasSize(1));
        List<String> expected = new ArrayList<>(List.of("/d"));
        for (int i = 0; i < RACES; i++) {
            boolean isCancelled = results.get(Requests.id(requests.get(i))) instanceof Answer.Cancelled;
            expected.add(isCancelled ? "/d/" + i : "/d/renamed-" + i);
        }
        assertThat(tree.paths().values()).containsExactlyInAnyOrderElementsOf(expected);
        changeCheck.assertGood(0);
        tree.assertNothingLeft();
    }
}
