package org.treerename.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.treerename.janitor.deadletter.Replay;
import org.treerename.journal.JournalEntry;
import org.treerename.kafka.RequestKey;
import org.treerename.producer.cli.UndoRequest;
import org.treerename.rename.Cancellation;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;

/**
 * Operators that undo renames and replay dead letters. Each command runs in a separate program, and some commands run
 * twice. The program creates its request with the classes of the product.
 */
final class FollowUps {

    private static final Set<UndoRequest.Why> HAD_AN_EFFECT = EnumSet.of(
            UndoRequest.Why.REPLACED, UndoRequest.Why.PARKED, UndoRequest.Why.ABANDONED, UndoRequest.Why.NO_FREE_ID);

    private static final int MOST = 5;
    private static final double REPLAYS = 0.5;
    private static final double TWICE = 0.4;
    private static final double DISPLACED = 0.3;
    private static final long LOOK_EVERY_NANOS = 500_000_000;
    private static final long LATEST_SECOND_NANOS = 1_000_000_000;

    private final World world;
    private final Scene scene;
    private final Witness witness;
    private final Chance chance;
    private final List<Actor> actors = new ArrayList<>();
    private final Set<String> sent = new HashSet<>();

    /**
     * @param chance a separate source of random values, so that this class does not change the random values of other
     *     classes
     */
    FollowUps(World world, Scene scene, Witness witness, Chance chance) {
        this.world = world;
        this.scene = scene;
        this.witness = witness;
        this.chance = chance;
    }

    /** Plans commands at random times before the given time. */
    void plan(long untilNanos) {
        int count = 1 + chance.below(MOST);
        for (int i = 0; i < count; i++) {
            long atNanos = chance.between(untilNanos / 10, untilNanos);
            world.scheduler().after(atNanos, chance.happens(REPLAYS) ? () -> replay(untilNanos) : this::undo);
        }
    }

    private void undo() {
        List<String> known = List.copyOf(scene.requests().keySet());
        List<String> committed = known.stream().filter(witness::isCommitted).toList();
        if (!known.isEmpty()) {
            String requestId = chance.of(committed.isEmpty() ? known : committed);
            if (chance.happens(DISPLACED)) {
                scene.displace(Objects.requireNonNull(scene.requests().get(requestId)));
                long soon = chance.between(0, LATEST_SECOND_NANOS);
                world.scheduler().after(soon, () -> onceOrTwice(actor -> undo(actor, requestId)));
            } else {
                onceOrTwice(actor -> undo(actor, requestId));
            }
        }
    }

    private void replay(long untilNanos) {
        List<Replay.Possible> possible = world.deadLetters().letters().stream()
                .map(letter -> Replay.of(letter, RequestKey.DEFAULT_DEPTH))
                .filter(Replay.Possible.class::isInstance)
                .map(Replay.Possible.class::cast)
                .filter(letter -> letter.request()
                        .namespace()
                        .equals(world.main().namespace().name()))
                .toList();
        if (possible.isEmpty()) {
            if (world.scheduler().nowNanos() + LOOK_EVERY_NANOS < untilNanos) {
                world.scheduler().after(LOOK_EVERY_NANOS, () -> replay(untilNanos));
            }
        } else {
            Replay.Possible replay = chance.of(possible);
            onceOrTwice(actor -> send(
                    actor,
                    replay.request(),
                    replay.after(),
                    sent.contains(replay.request().requestId()) ? Happening.REPLAY_AGAIN : Happening.REPLAY));
        }
    }

    private void onceOrTwice(Consumer<Actor> command) {
        begin(command);
        if (chance.happens(TWICE)) {
            world.scheduler().after(chance.between(0, LATEST_SECOND_NANOS), () -> begin(command));
        }
    }

    private void begin(Consumer<Actor> command) {
        Actor actor = world.actor("follow-up-" + actors.size());
        actors.add(actor);
        world.scheduler().begin(actor, () -> {
            try {
                command.accept(actor);
            } catch (NoAnswerException e) {
                world.stage().report(actor.name(), e::getMessage);
            }
        });
    }

    private void undo(Actor actor, String requestId) {
        SimulatedTime time = world.time(actor);
        Cancellation requests = new Cancellation(
                world.wiring()
                        .journal(
                                actor.name(),
                                new SimulatedJournal(
                                        world.network()
                                                .wire(actor, world.settings().requestTimeout()),
                                        world.cluster())),
                time,
                world.backoffs(time));
        Optional<JournalEntry> entry = requests.find(requestId);
        if (entry.isEmpty()) {
            world.stage().report(actor.name(), () -> "finds no journal entry of " + requestId + ", and sends no undo");
            return;
        }
        switch (UndoRequest.of(entry.get(), requests::find)) {
            case UndoRequest.NotReversible no -> {
                world.stage()
                        .happened(
                                Happening.NOT_REVERSIBLE,
                                actor.name(),
                                () -> "cannot undo " + requestId + ": " + no.message());
                if (no.why() != UndoRequest.Why.NOT_DECIDED) {
                    requireEffect(requestId, HAD_AN_EFFECT.contains(no.why()));
                }
            }
            case UndoRequest.Possible possible -> {
                requireEffect(requestId, true);
                RenameRequest reverse = scene.versioned(possible.request());
                boolean isAgain = sent.contains(reverse.requestId());
                send(actor, reverse, List.of(requestId), isAgain ? Happening.UNDO_AGAIN : Happening.UNDO);
            }
        }
    }

    private void requireEffect(String requestId, boolean expected) {
        if (witness.isCommitted(requestId) != expected) {
            world.stage()
                    .violations()
                    .add(
                            Point.ONCE,
                            "the undo of " + requestId + " assumes a rename that is " + (expected ? "" : "not ")
                                    + "committed, but the rename is " + (expected ? "not " : "") + "committed");
        }
    }

    private void send(Actor actor, RenameRequest request, List<String> after, Happening happening) {
        sent.add(request.requestId());
        world.stage().happened(happening, actor.name(), () -> "sends " + request.requestId());
        scene.send(request, after);
    }

    /** Ends the programs that still run. */
    void bury() {
        actors.forEach(world.scheduler()::kill);
    }
}
