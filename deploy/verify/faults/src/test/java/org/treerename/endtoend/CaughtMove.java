package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.crash.CrashPoint;

/**
 * A rename that a gate blocks in the middle of its move. The moving process is the worker of the rename, or a janitor
 * that has taken over the rename from a killed worker. A later fault of Elasticsearch must not cause a janitor to fence
 * a process.
 */
final class CaughtMove implements AutoCloseable {

    /** The service whose process moves the documents. */
    enum MovingService {
        WORKER,
        JANITOR
    }

    static final Duration LEASE = Duration.ofSeconds(5);

    private static final List<String> OPTIONS = List.of("--lease=" + LEASE.toSeconds() + "s", "--page-size=20");
    private static final int FILES = 600;

    private final Elasticsearch elasticsearch;
    private final Log topics;
    private final Scene scene;
    private final Services janitors;
    private final Services workers;
    private final Gate gate;
    private final Set<String> live = new HashSet<>();
    private final Set<String> fenced;

    private CaughtMove(Elasticsearch elasticsearch, Log topics, MovingService service) {
        this.elasticsearch = elasticsearch;
        this.topics = topics;
        this.scene = Scene.create(elasticsearch, FILES, false);
        this.fenced = fenced();
        this.gate = Gate.at(service == MovingService.JANITOR ? CrashPoint.ROLLING_FORWARD : CrashPoint.WITHIN_MOVE, 2);
        String worker = service == MovingService.JANITOR ? "--crash-at=WITHIN_MOVE:2" : gate.option();
        Stream<String> janitor = service == MovingService.JANITOR ? Stream.of(gate.option()) : Stream.of();
        this.janitors = Services.start(
                elasticsearch,
                "janitor",
                service == MovingService.JANITOR ? Program.INSTRUMENTED_JANITOR : Program.JANITOR,
                2,
                Stream.concat(OPTIONS.stream(), janitor).toList());
        this.workers = Services.start(
                elasticsearch,
                "worker",
                Program.INSTRUMENTED_WORKER,
                1,
                Stream.concat(
                                OPTIONS.stream(),
                                Stream.of(Group.atTheEndOfTheLog().option(), worker))
                        .toList());
        live.addAll(janitors.ids());
        (service == MovingService.JANITOR ? fenced : live).addAll(workers.ids());
    }

    /** Starts a rename. Returns when the gate blocks the rename in the middle of its move. */
    static CaughtMove begin(Elasticsearch elasticsearch, Log topics, MovingService service) {
        CaughtMove move = new CaughtMove(elasticsearch, topics, service);
        try {
            move.scene.send(topics);
            move.gate.awaitReached();
            return move;
        } catch (RuntimeException e) {
            move.close();
            throw e;
        }
    }

    /** Returns the process ids of the two janitors. */
    Set<String> janitors() {
        return janitors.ids();
    }

    /** Opens the gate, so that the move continues. */
    void release() {
        gate.open();
    }

    void awaitOutcome() {
        scene.awaitOutcome(topics);
    }

    private Set<String> fenced() {
        return elasticsearch.control("process").stream()
                .filter(process -> process.path("state").asText().equals("fenced"))
                .map(process -> process.path("process_id").asText())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * Asserts that the rename is complete and that no live process was fenced. Call this method when Elasticsearch
     * answers again.
     */
    void assertNothingWasLostAndNoLiveProcessFenced() {
        scene.awaitClosed();
        scene.assertOneOutcome(topics);
        scene.assertRenamed(false);
        scene.tree().assertNothingLeft();
        assertThat(fenced()).isEqualTo(fenced);
        assertThat(live)
                .allSatisfy(id ->
                        assertThat(Services.state(elasticsearch, id)).as(id).isEqualTo("live"));
    }

    @Override
    public void close() {
        workers.close();
        janitors.close();
    }
}
