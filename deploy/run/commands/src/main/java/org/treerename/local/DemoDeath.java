package org.treerename.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.journal.State;
import org.treerename.path.TreePath;
import org.treerename.runtime.Time;

/** Kills a worker by {@code kill -9} in the middle of a large rename. A janitor finishes the rename. */
final class DemoDeath {

    /**
     * The largest number of tries to kill the worker during the rename. A try fails if the rename ends before the kill.
     */
    private static final int TRIES = 6;

    /**
     * The pause between the commit and the kill, for each document of the rename. The move of a document takes about
     * five times as long as this pause.
     */
    private static final Duration PAUSE_PER_DOCUMENT = Duration.ofNanos(10_000);

    private static final Duration POLL = Duration.ofMillis(5);
    private static final Duration BEGUN = Duration.ofMinutes(2);

    private final DemoStage stage;
    private final DemoControl control;
    private final ElasticsearchHttp http;
    private final Narrator narrator;
    private final Time time;

    DemoDeath(DemoStage stage, DemoControl control, ElasticsearchHttp http, Narrator narrator, Time time) {
        this.stage = stage;
        this.control = control;
        this.http = http;
        this.narrator = narrator;
        this.time = time;
    }

    /**
     * Renames a directory, and kills the worker during the rename. If the rename ends before the kill, tries again.
     *
     * @param from the source of the first try; each further try swaps source and destination
     * @return whether the rename was rolled forward, according to its outcome
     */
    boolean play(RunningStack stack, TreePath from, TreePath to) throws InterruptedException {
        TreePath source = from;
        TreePath destination = to;
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            DemoStage.Asked asked = stage.send(stage.newRequestId(), source, destination);
            if (isMoving(asked.request().requestId())) {
                kill(stack, asked.request().requestId(), source, destination);
                stage.await(asked);
                return isRolledForward(asked);
            }
            stage.await(asked);
            narrator.report(
                    "The rename ended before the worker was killed; %s.",
                    attempt < TRIES ? "trying again in the opposite direction" : "that was the last try");
            TreePath previousSource = source;
            source = destination;
            destination = previousSource;
        }
        return false;
    }

    private boolean isMoving(String requestId) {
        Patience patience = new Patience(time, POLL);
        boolean decided = patience.until(
                BEGUN,
                () -> control.entry(requestId)
                        .filter(entry ->
                                entry.state() == State.MOVING || entry.state().isFinal())
                        .isPresent());
        if (!decided) {
            throw new IllegalStateException("request " + requestId + ": expected its commit within "
                    + Narrator.seconds(BEGUN) + ", found none; read the logs of the workers");
        }
        // the number of moved documents in the entry may be one second old, so it does not show when to kill;
        // this method waits for a time that depends on the size of the rename
        control.entry(requestId)
                .ifPresent(entry -> time.pause(
                        PAUSE_PER_DOCUMENT.multipliedBy(entry.progress().expected())));
        return control.entry(requestId)
                .filter(entry -> entry.state() == State.MOVING)
                .isPresent();
    }

    private void kill(RunningStack stack, String requestId, TreePath source, TreePath destination) {
        String owner = control.entry(requestId).orElseThrow().ownership().processId();
        ServiceProcess killed = stack.killWorker(owner);
        long killedNanos = time.nanos();
        narrator.report("kill -9    %s, which processes the rename; process id of the worker: %s", killed, owner);
        narrator.report(
                "stopped    %,d documents are at or below %s,\n           %,d documents are at or below %s",
                countAt(source), source, countAt(destination), destination);
        new DemoTakeOver(control, narrator, time, killedNanos).watch(requestId, owner);
    }

    private boolean isRolledForward(DemoStage.Asked asked) throws InterruptedException {
        try {
            boolean rolledForward = asked.outcome().get().rolledForward();
            narrator.report("The outcome has \"rolled_forward\": %s.", rolledForward);
            return rolledForward;
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "no outcome for the rename of " + asked.request().source(), e.getCause());
        }
    }

    private long countAt(TreePath path) {
        http.post(DemoStage.NAMESPACE + "/_refresh");
        ObjectNode body = ElasticsearchHttp.MAPPER.createObjectNode();
        ArrayNode alternatives = body.putObject("query").putObject("bool").putArray("should");
        alternatives.addObject().putObject("term").put("path", path.text());
        alternatives.addObject().putObject("prefix").put("path", path.text() + "/");
        return http.post(DemoStage.NAMESPACE + "/_count", body)
                .json()
                .required("count")
                .asLong();
    }
}
