package org.treerename.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.path.TreePath;
import org.treerename.rename.State;
import org.treerename.runtime.Time;

/** A worker is killed by {@code kill -9} in the middle of a great rename, and a janitor brings it to its end. */
final class DemoDeath {

    /** How often it is played until the worker is met in the middle: it is a race. */
    private static final int TRIES = 6;

    /** The worker is killed so long after the commit, for each document that is to move. It takes some five times as long to move it. */
    private static final Duration FOR_EACH = Duration.ofNanos(10_000);

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
     * Plays it.
     *
     * @param from what is renamed first; played again, it goes back and forth
     * @return whether the outcome says that the rename was rolled forward
     */
    boolean play(RunningStack stack, TreePath from, TreePath to) throws InterruptedException {
        TreePath source = from;
        TreePath destination = to;
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            DemoStage.Asked asked = stage.send(stage.newRequestId(), source, destination);
            if (isMetInTheMiddle(asked.request().requestId())) {
                kill(stack, asked.request().requestId(), source, destination);
                stage.await(asked);
                return isRolledForward(asked);
            }
            stage.await(asked);
            narrator.tell("It was done before anybody could be killed; once more, the other way round.");
            TreePath back = source;
            source = destination;
            destination = back;
        }
        return false;
    }

    private boolean isMetInTheMiddle(String requestId) {
        Patience patience = new Patience(time, POLL);
        boolean decided = patience.until(
                BEGUN,
                () -> control.entry(requestId)
                        .filter(entry ->
                                entry.state() == State.MOVING || entry.state().isFinal())
                        .isPresent());
        if (!decided) {
            throw new IllegalStateException("request " + requestId + " was not well under way within " + BEGUN);
        }
        // the entry has its progress only about once a second
        control.entry(requestId)
                .ifPresent(entry ->
                        time.pause(FOR_EACH.multipliedBy(entry.progress().expected())));
        return control.entry(requestId)
                .filter(entry -> entry.state() == State.MOVING)
                .isPresent();
    }

    private void kill(RunningStack stack, String requestId, TreePath source, TreePath destination) {
        String owner = control.entry(requestId).orElseThrow().ownership().processId();
        ServiceProcess killed = stack.killWorker(owner);
        long killedNanos = time.nanos();
        narrator.tell("kill -9    %s, which moves it; it is process %s", killed, owner);
        narrator.tell(
                "half-moved %,d documents stand at or below %s,\n           %,d at or below %s",
                standing(source), source, standing(destination), destination);
        new DemoTakeOver(control, narrator, time, killedNanos).watch(requestId, owner);
    }

    private boolean isRolledForward(DemoStage.Asked asked) throws InterruptedException {
        try {
            boolean rolledForward = asked.outcome().get().rolledForward();
            narrator.tell("The outcome says \"rolled_forward\": %s.", rolledForward);
            return rolledForward;
        } catch (ExecutionException e) {
            throw new IllegalStateException("no outcome of " + asked.request().source(), e.getCause());
        }
    }

    private long standing(TreePath path) {
        http.post(DemoStage.NAMESPACE + "/_refresh");
        ObjectNode body = ElasticsearchHttp.MAPPER.createObjectNode();
        ArrayNode either = body.putObject("query").putObject("bool").putArray("should");
        either.addObject().putObject("term").put("path", path.text());
        either.addObject().putObject("prefix").put("path", path.text() + "/");
        return http.post(DemoStage.NAMESPACE + "/_count", body)
                .json()
                .required("count")
                .asLong();
    }
}
