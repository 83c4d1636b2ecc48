package org.treerename.simulation;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.simulation.elasticsearch.Request;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Scheduler;
import org.treerename.store.NoAnswerException;

/** Sends one request, waits for the answer, and ends the wait after the timeout. */
final class Call<T> implements Wire.Pending<T> {

    private final Network network;
    private final Stage stage;
    private final Actor actor;
    private final long timeoutNanos;
    private final Request<T> request;
    private final Sender sender;
    private final Faults faults;
    private @Nullable Runnable waiting;
    private long deadlineNanos;
    private @Nullable List<@Nullable Object> results;
    private @Nullable RuntimeException failure;

    /** Wakes the task that waits for the answer to an asynchronous call; null if no task waits. */
    private @Nullable Runnable awaiting;

    private boolean hasEnded;

    Call(Network network, Actor actor, long timeoutNanos, Request<T> request, Faults faults) {
        this.network = network;
        this.stage = network.stage();
        this.faults = faults;
        this.actor = actor;
        this.timeoutNanos = timeoutNanos;
        this.request = request;
        this.sender = new Sender(
                actor.name(), (JournalEntry) stage.scheduler().alive().attachment());
    }

    Actor actor() {
        return actor;
    }

    Request<T> request() {
        return request;
    }

    Sender sender() {
        return sender;
    }

    Faults faults() {
        return faults;
    }

    /** Returns whether the sender still waits for the answer. */
    boolean isWaiting() {
        return waiting != null;
    }

    /** Sends the request, and blocks until the answer or the timeout. */
    T made() {
        Scheduler scheduler = stage.scheduler();
        scheduler.suspend(wake -> {
            waiting = wake;
            deadlineNanos = scheduler.nowNanos() + timeoutNanos;
            send();
        });
        return result();
    }

    private T result() {
        if (failure != null) {
            throw failure;
        }
        return request.answer().apply(Objects.requireNonNull(results));
    }

    /** Sends the request, and returns before the answer arrives. */
    Wire.Pending<T> begun() {
        waiting = this::end;
        deadlineNanos = stage.scheduler().nowNanos() + timeoutNanos;
        send();
        return this;
    }

    private void end() {
        hasEnded = true;
        Runnable wake = awaiting;
        if (wake != null) {
            wake.run();
        }
    }

    @Override
    public boolean hasEnded() {
        return hasEnded;
    }

    @Override
    public T answer() {
        while (!hasEnded) {
            stage.scheduler().suspend(wake -> awaiting = wake);
        }
        return result();
    }

    private void send() {
        if (stage.chance().happens(faults.lostRequest())) {
            happened(Happening.LOST_REQUEST, "loses the request: ");
            expire();
            return;
        }
        boolean late = network.takeQueueNext(actor) || stage.chance().happens(faults.late());
        long delay = late ? stage.chance().between(timeoutNanos / 2, Faults.LATEST.toNanos()) : network.latency(faults);
        boolean twice = stage.chance().happens(faults.twice());
        if (late || twice || delay > Network.FAST_NANOS || (request.items().size() > 1 && faults.slow() > 0)) {
            expire();
        }
        boolean answeredByFirst = !twice || stage.chance().happens(0.5);
        Execution first = new Execution(network, this, answeredByFirst);
        if (late) {
            network.queue(first::arrive);
        }
        stage.scheduler().afterWithoutKill(delay, first::begin);
        if (twice) {
            long again = stage.chance().happens(0.5)
                    ? network.latency(faults)
                    : stage.chance().between(0, Faults.LATEST.toNanos() / 2);
            happened(Happening.SENT_TWICE, "sends a request twice: ");
            stage.scheduler().afterWithoutKill(delay + again, new Execution(network, this, !answeredByFirst)::begin);
        }
    }

    /** Plans the timeout of the call. A call without a planned timeout always receives its answer in time. */
    void expire() {
        stage.scheduler().afterWithoutKill(deadlineNanos - stage.scheduler().nowNanos(), this::giveUp);
    }

    private void giveUp() {
        if (waiting != null) {
            answer(null, new NoAnswerException("no answer to: " + request.what().get(), null));
        }
    }

    /** Ends the wait of the sender, if the sender still waits. Either the results or the failure is null. */
    void answer(@Nullable List<@Nullable Object> answered, @Nullable RuntimeException failed) {
        Runnable wake = waiting;
        if (wake != null) {
            waiting = null;
            results = answered;
            failure = failed;
            wake.run();
        }
    }

    /**
     * Counts an event of the request, and adds the event to the history.
     *
     * @param words the text before the description of the request
     */
    void happened(Happening happening, String words) {
        stage.happened(happening, actor.name(), () -> words + request.what().get());
    }
}
