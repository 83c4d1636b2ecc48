package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.producer.writer.WriteLocks;
import org.treerename.rename.Cancellation;
import org.treerename.rename.Cancellation.Answer;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Status;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;

/**
 * Users who cancel requests, also requests that wait in the log and that no worker has begun. Each user runs a program
 * once. The program has no heartbeat, and may be killed or frozen between any two steps. The class stores the answers
 * of all programs. At the end of the run, each answer must agree with the outcome of the request.
 */
final class Cancellers {

    private static final int MOST = 6;
    private static final int REQUESTS = 8;
    private static final double OF_OPEN_REQUEST = 0.7;
    private static final double KILLED = 0.1;
    private static final double HELD_UP = 0.3;
    private static final long SOON_NANOS = 40_000_000;
    private static final long LONGEST_NANOS = 3_000_000_000L;

    private record Reply(String who, String requestId, Answer answer) {}

    private final World world;
    private final Chance chance;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();

    /**
     * @param chance a separate source of random values, so that this class does not change the random values of other
     *     classes
     */
    Cancellers(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    /** Plans a random number of cancellations at random times before the given time. */
    void plan(long untilNanos) {
        int count = 1 + chance.below(MOST);
        for (int i = 1; i <= count; i++) {
            String name = "canceller-" + i;
            world.scheduler().after(chance.between(0, untilNanos), () -> come(name));
        }
    }

    private void come(String name) {
        Actor actor = world.actor(name);
        actors.add(actor);
        String requestId = target();
        world.scheduler().begin(actor, () -> cancel(actor, requestId));
        long soon = chance.between(0, SOON_NANOS);
        if (chance.happens(KILLED)) {
            world.scheduler().after(soon, () -> world.scheduler().kill(actor));
        } else if (chance.happens(HELD_UP)) {
            world.scheduler()
                    .after(soon, () -> actor.freeze(world.scheduler().nowNanos() + chance.between(0, LONGEST_NANOS)));
        }
    }

    private String target() {
        List<String> open = world.cluster().control(JournalEntry.class).stream()
                .filter(entry -> !entry.requestId().startsWith(WriteLocks.PREFIX))
                .filter(entry -> entry.state() == State.PREPARED || entry.state() == State.RETRY)
                .map(JournalEntry::requestId)
                .toList();
        return open.isEmpty() || !chance.happens(OF_OPEN_REQUEST)
                ? "r" + (1 + chance.below(REQUESTS))
                : chance.of(open);
    }

    private void cancel(Actor actor, String requestId) {
        SimulatedTime time = world.time(actor);
        Duration timeout = world.settings().requestTimeout();
        Cancellation cancellation = new Cancellation(
                world.wiring()
                        .journal(
                                actor.name(),
                                new SimulatedJournal(world.network().wire(actor, timeout), world.cluster())),
                time,
                world.backoffs(time));
        try {
            Optional<Delivery> waiting = world.log().waiting(requestId);
            boolean isUnread = waiting.isPresent()
                    && world.cluster().control(JournalEntry.class).stream()
                            .noneMatch(entry -> entry.requestId().equals(requestId));
            if (isUnread) {
                world.stage().tally().count(Happening.CANCELLATION_OF_UNREAD_REQUEST);
            }
            Answer answer = waiting.isPresent()
                    ? cancellation.cancel(waiting.get(), actor.name())
                    : cancellation.cancel(requestId, actor.name());
            replies.add(new Reply(actor.name(), requestId, answer));
            world.stage()
                    .happened(
                            happening(answer), actor.name(), () -> "gets the answer for " + requestId + ": " + answer);
        } catch (NoAnswerException e) {
            world.stage().report(actor.name(), e::getMessage);
        }
    }

    private static Happening happening(Answer answer) {
        return switch (answer) {
            case Answer.Cancelled cancelled -> Happening.CANCELLED_IN_TIME;
            case Answer.AlreadyDecided decided -> Happening.CANCELLED_TOO_LATE;
            case Answer.NoEntry none -> Happening.CANCELLED_TOO_EARLY;
            case Answer.NoRename none ->
                throw new IllegalStateException("expected the id of a rename, found the id of a writer's hold");
        };
    }

    /**
     * Checks at the end of the run that each answer agrees with the outcome of the request.
     *
     * @param outcomes returns the outcome of a request id; empty if the request is still parked
     */
    void check(Function<String, Optional<String>> outcomes) {
        for (Reply one : replies) {
            switch (one.answer()) {
                case Answer.Cancelled cancelled ->
                    require(
                            one,
                            outcomes,
                            text -> text.equals(Optional.of(
                                    cancelled.entry().ended().orElseThrow().outcome())));
                case Answer.AlreadyDecided decided ->
                    require(
                            one,
                            outcomes,
                            text -> text.map(OutcomeCodec::decode)
                                    .filter(outcome -> outcome.status() == Status.CANCELLED)
                                    .isEmpty());
                case Answer.NoEntry none -> {
                    // the request may never have been sent
                }
                case Answer.NoRename none ->
                    throw new IllegalStateException("expected the id of a rename, found the id of a writer's hold");
            }
        }
    }

    private void require(Reply one, Function<String, Optional<String>> outcomes, Predicate<Optional<String>> isTrue) {
        Optional<String> text = outcomes.apply(one.requestId());
        if (!isTrue.test(text)) {
            world.stage()
                    .violations()
                    .add(Point.ONCE, "expected an outcome that agrees with " + one + ", found " + text);
        }
    }

    /** Kills the programs that have not ended at the end of the run. */
    void bury() {
        actors.forEach(world.scheduler()::kill);
    }
}
