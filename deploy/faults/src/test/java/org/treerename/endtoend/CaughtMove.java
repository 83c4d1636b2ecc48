package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rename of some thousand documents, caught in the middle of its move: by its worker, or by a janitor that has taken it
 * over from a worker that was killed. What happens to Elasticsearch from then on costs nobody his life.
 */
final class CaughtMove implements AutoCloseable {

    /** Who carries the rename. */
    enum Carrying {
        WORKER,
        JANITOR
    }

    static final Duration LEASE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(CaughtMove.class);
    private static final List<String> OPTIONS = List.of("--lease=" + LEASE.toSeconds() + "s", "--page-size=100");
    private static final int FILES = 6_000;
    private static final int MOVED_BEFORE = 1_000;

    private final Elasticsearch elasticsearch;
    private final Log topics;
    private final Scene scene;
    private final Services workers;
    private final Set<String> live = new HashSet<>();
    private final Set<String> fenced;
    private long moved;
    private Instant caught = Instant.MAX;

    private CaughtMove(Elasticsearch elasticsearch, Log topics, Services janitors) {
        this.elasticsearch = elasticsearch;
        this.topics = topics;
        this.scene = Scene.create(elasticsearch, FILES, false);
        this.fenced = fenced();
        Group group = Group.atTheEndOfTheLog();
        List<String> options =
                Stream.concat(OPTIONS.stream(), Stream.of(group.option())).toList();
        this.workers = Services.start(elasticsearch, "worker", "org.treerename.worker.Main", 1, options);
        live.addAll(janitors.ids());
        live.addAll(workers.ids());
    }

    static Services janitors(Elasticsearch elasticsearch) {
        return Services.start(elasticsearch, "janitor", "org.treerename.janitor.Main", 2, OPTIONS);
    }

    /** Comes back in the middle of the move. */
    static CaughtMove begin(Elasticsearch elasticsearch, Log topics, Services janitors, Carrying carrying) {
        CaughtMove move = new CaughtMove(elasticsearch, topics, janitors);
        try {
            move.catchWith(carrying);
            return move;
        } catch (RuntimeException e) {
            move.close();
            throw e;
        }
    }

    private void catchWith(Carrying carrying) {
        scene.send(topics);
        moved = awaitMovedBy("worker", MOVED_BEFORE);
        if (carrying == Carrying.JANITOR) {
            workers.processes().getFirst().kill();
            live.removeAll(workers.ids());
            fenced.addAll(workers.ids());
            moved = awaitMovedBy("janitor", moved + MOVED_BEFORE);
        }
        caught = Instant.now();
    }

    /** How much was moved when the entry was last seen, MOVING still. */
    private long awaitMovedBy(String service, long enough) {
        return Awaitility.await("the middle of the move by a " + service)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Log.PATIENCE)
                .until(
                        () -> elasticsearch
                                .entry(scene.requestId())
                                .filter(entry -> entry.path("owner").asText().startsWith(service))
                                .filter(entry -> entry.path("state").asText().equals("moving"))
                                .map(entry -> entry.path("moved").asLong())
                                .orElse(0L),
                        count -> count >= enough);
    }

    private Set<String> fenced() {
        return elasticsearch.control("process").stream()
                .filter(process -> process.path("state").asText().equals("fenced"))
                .map(process -> process.path("process_id").asText())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** The move had not ended when it was caught. */
    void awaitOutcome() {
        JsonNode outcome = scene.awaitOutcome(topics);
        Instant finished = Instant.parse(outcome.path("finished_at").asText());
        log.info(
                "after {} of {} documents: finished {} ms later by {}",
                moved,
                FILES + 1,
                Duration.between(caught, finished).toMillis(),
                outcome.path("process_id").asText());
        assertThat(finished).isAfter(caught);
    }

    /** Once Elasticsearch is well again. */
    void assertNothingWasLostAndNobodyFenced() {
        scene.awaitClosed();
        scene.assertOneOutcome(topics);
        scene.assertRenamed(false);
        Scene.assertNothingLeft(elasticsearch);
        Awaitility.await("those that were killed are fenced")
                .atMost(Log.PATIENCE)
                .untilAsserted(() -> assertThat(fenced()).isEqualTo(fenced));
        assertThat(live)
                .allSatisfy(id ->
                        assertThat(Services.state(elasticsearch, id)).as(id).isEqualTo("live"));
    }

    @Override
    public void close() {
        workers.close();
    }
}
