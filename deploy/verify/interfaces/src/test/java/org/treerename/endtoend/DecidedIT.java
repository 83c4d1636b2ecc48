package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.producer.Followed;
import org.treerename.producer.NotCommittedException;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.request.DecisionTime;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;
import org.treerename.testservers.TestServers;

/**
 * Tests the wait for a decision in the library, the command line and the gateway. Each wait ends at the commit, before
 * the documents have moved.
 */
final class DecidedIT {

    private static final int DOCUMENTS = 3_000;

    /** With this option, a move takes at least five seconds, so the decision happens long before the end of the move. */
    private static final String SLOWLY = "--documents-per-second=400";

    private static Log log;
    private static Workers workers;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        workers = Workers.start(1, SLOWLY);
    }

    @AfterAll
    static void stop() {
        workers.close();
        log.close();
    }

    private static Tree tree() {
        return Tree.create()
                .directories("/a", "/taken")
                .files(IntStream.range(1, DOCUMENTS).mapToObj(i -> "/a/" + i).toArray(String[]::new))
                .index();
    }

    private static RenameProducer producer() {
        return RenameProducer.connect(ProducerSettings.of(TestServers.kafkaBootstrapServers()));
    }

    private static Console.Ended untilDecided(Tree tree, String destination, String requestId) {
        return Console.run(
                Console.RENAME,
                List.of(
                        "mv",
                        "/a",
                        destination,
                        "--until=decided",
                        "--output=json",
                        "--request-id=" + requestId,
                        "--namespace=" + tree.name(),
                        "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers()));
    }

    private static Instant millis(JsonNode time) {
        return Instant.parse(time.asText()).truncatedTo(ChronoUnit.MILLIS);
    }

    @Test
    void the_library_completes_a_decision_before_the_documents_have_moved() throws Exception {
        Tree tree = tree();
        List<RenameProgress> reports = new CopyOnWriteArrayList<>();
        try (RenameProducer producer = producer()) {
            Followed followed = producer.follow(
                    producer.rename(tree.name(), "/a", "/b").build(), List.of(), new ProgressListener() {
                        @Override
                        public void progressed(RenameProgress progress) {
                            reports.add(progress);
                        }
                    });

            DecisionTime decided = followed.decided().get(2, TimeUnit.MINUTES);

            assertThat(followed.sent().outcome()).isNotDone();
            Outcome outcome = followed.sent().outcome().get(2, TimeUnit.MINUTES).outcome();
            assertThat(outcome.moved()).isEqualTo(DOCUMENTS);
            assertThat(DecisionTime.of(outcome)).contains(decided);
            assertThat(decided.committedAt()).isBefore(outcome.finishedAt().minusSeconds(1));
            assertThat(reports)
                    .startsWith(new RenameProgress(
                            outcome.requestId(), 0, DOCUMENTS, 0, outcome.processId(), false, decided, null));
        }
        tree.assertNothingLeft();
    }

    @Test
    void the_library_completes_a_decision_of_few_documents_with_the_outcome() throws Exception {
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        try (RenameProducer producer = producer()) {
            Followed followed =
                    producer.follow(producer.rename(tree.name(), "/a", "/b").build());

            DecisionTime decided = followed.decided().get(2, TimeUnit.MINUTES);

            assertThat(DecisionTime.of(followed.sent().outcome().join().outcome()))
                    .contains(decided);
        }
    }

    @Test
    void a_rejection_ends_each_wait_for_the_decision() throws Exception {
        Tree tree = tree();
        try (RenameProducer producer = producer()) {
            Followed followed =
                    producer.follow(producer.rename(tree.name(), "/a", "/taken").build());

            assertThatThrownBy(() -> followed.decided().get(2, TimeUnit.MINUTES))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(NotCommittedException.class, ended -> {
                        assertThat(ended.published().outcome().status()).isEqualTo(Status.REJECTED);
                        assertThat(ended.published().outcome().reason()).isEqualTo(Reason.DESTINATION_EXISTS);
                    });
        }

        Console.Ended ended = untilDecided(tree, "/taken", UUID.randomUUID().toString());

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.json().path("reason").asText()).isEqualTo("destination_exists");
    }

    @Test
    void the_command_line_prints_a_decision_before_the_documents_have_moved() throws IOException {
        Tree tree = tree();
        String requestId = UUID.randomUUID().toString();

        Console.Ended ended = untilDecided(tree, "/b", requestId);

        assertThat(log.outcomes(requestId)).isEmpty();
        assertThat(ended.code()).isZero();
        JsonNode outcome = log.outcome(requestId);
        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        assertThat(ended.json().path("status").asText()).isEqualTo("decided");
        assertSameDecision(ended.json(), outcome);
        tree.assertNothingLeft();
    }

    @Test
    void the_gateway_sends_an_event_of_the_decision_before_the_outcome() {
        Tree tree = tree();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        try (GatewayProcess gateway = GatewayProcess.start()) {
            assertThat(gateway.send(gateway.posting(request)).statusCode()).isEqualTo(202);

            List<String> names = new ArrayList<>();
            List<JsonNode> decisions = new ArrayList<>();
            gateway.follow("/v1/renames/" + Requests.id(request) + "/events", (name, data) -> {
                names.add(name);
                if (name.equals("decided")) {
                    assertThat(log.outcomes(Requests.id(request))).isEmpty();
                    decisions.add(data);
                }
            });

            assertThat(names).endsWith("outcome").containsOnlyOnce("decided");
            assertSameDecision(decisions.getFirst(), log.outcome(Requests.id(request)));
        }
        tree.assertNothingLeft();
    }

    private static void assertSameDecision(JsonNode decision, JsonNode outcome) {
        assertThat(millis(decision.path("committed_at"))).isEqualTo(millis(outcome.path("committed_at")));
        assertThat(millis(decision.path("requested_at"))).isEqualTo(millis(outcome.path("requested_at")));
        assertThat(decision.path("decided_after_ms").asLong())
                .isBetween(
                        0L,
                        ChronoUnit.MILLIS.between(
                                millis(outcome.path("requested_at")), millis(outcome.path("finished_at"))));
    }
}
