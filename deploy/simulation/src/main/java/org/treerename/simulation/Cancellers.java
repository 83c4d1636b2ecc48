package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.treerename.rename.Cancellation;
import org.treerename.rename.Cancellation.Answer;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;
import org.treerename.rename.Status;
import org.treerename.rename.WriteLocks;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;
import org.treerename.wire.JsonOutcomeCodec;

/**
 * People who cancel requests, each by a program that runs once: it has no heartbeat, and may be killed, or held up, between any
 * two of its steps. What it was told is remembered, and has to be true in the end.
 */
final class Cancellers {

    private static final int MOST = 6;
    private static final int REQUESTS = 8;
    private static final double AT_WHAT_IS_OPEN = 0.7;
    private static final double KILLED = 0.1;
    private static final double HELD_UP = 0.3;
    private static final long SOON_NANOS = 40_000_000;
    private static final long LONGEST_NANOS = 3_000_000_000L;

    /** What somebody was told. */
    private record Told(String who, String requestId, Answer answer) {}

    private final World world;
    private final Chance chance;
    private final List<Actor> everybody = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();

    /**
     * @param chance of its own, so that runs without them are what they were
     */
    Cancellers(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    /** Some come until then. */
    void plan(long untilNanos) {
        int count = 1 + chance.below(MOST);
        for (int i = 1; i <= count; i++) {
            String name = "canceller-" + i;
            world.scheduler().after(chance.between(0, untilNanos), () -> come(name));
        }
    }

    private void come(String name) {
        Actor actor = world.actor(name);
        everybody.add(actor);
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
        return open.isEmpty() || !chance.happens(AT_WHAT_IS_OPEN)
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
                new JsonOutcomeCodec(),
                time,
                world.backoffs(time));
        try {
            Answer answer = cancellation.cancel(requestId, actor.name());
            told.add(new Told(actor.name(), requestId, answer));
            world.stage().happened(happening(answer), actor.name(), () -> "is told of " + requestId + ": " + answer);
        } catch (NoAnswerException e) {
            world.stage().tell(actor.name(), e::getMessage);
        }
    }

    private static Happening happening(Answer answer) {
        return switch (answer) {
            case Answer.Cancelled cancelled -> Happening.CANCELLED_IN_TIME;
            case Answer.AlreadyDecided decided -> Happening.CANCELLED_TOO_LATE;
            case Answer.NoEntry none -> Happening.CANCELLED_TOO_EARLY;
            case Answer.NoRename none -> throw new IllegalStateException("no writer's hold is cancelled here");
        };
    }

    /**
     * Whether all that was told is true.
     *
     * @param outcomes the one text of each request; empty where it stays parked
     */
    void judge(Function<String, Optional<String>> outcomes) {
        for (Told one : told) {
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
                            text -> text.map(new JsonOutcomeCodec()::decode)
                                    .filter(outcome -> outcome.status() == Status.CANCELLED)
                                    .isEmpty());
                case Answer.NoEntry none -> {
                    // it may never have been sent
                }
                case Answer.NoRename none -> throw new IllegalStateException("no writer's hold is cancelled here");
            }
        }
    }

    private void require(Told one, Function<String, Optional<String>> outcomes, Predicate<Optional<String>> isTrue) {
        Optional<String> text = outcomes.apply(one.requestId());
        if (!isTrue.test(text)) {
            world.stage().violations().add(Point.ONCE, "told was " + one + ", and the outcome is " + text);
        }
    }

    /** Ends what still runs when the run is over. */
    void bury() {
        everybody.forEach(world.scheduler()::kill);
    }
}
