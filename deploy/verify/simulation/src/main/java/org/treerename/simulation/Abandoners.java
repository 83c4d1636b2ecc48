package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.treerename.janitor.recovery.Abandonment;
import org.treerename.janitor.recovery.Unmoved;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.namespace.VersionOwner;
import org.treerename.runtime.Backoff;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedNamespaces;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.NoAnswerException;

/**
 * Operators who abandon parked renames. Each operator runs a program, which tries several times. The program has no
 * heartbeat, and may be frozen between any two steps. The program does not end a rename if a document that is left could
 * not be sealed, or if the documents could not be read: a late move could still change such a document.
 */
final class Abandoners {

    /** The prefix of the names of the programs. */
    static final String PREFIX = "abandoner-";

    private static final double ABANDONED = 0.5;
    private static final double FROZEN = 0.3;
    private static final int MOST_TRIES = 8;
    private static final long SOON_NANOS = 100_000_000;
    private static final long LONGEST_NANOS = 2_000_000_000L;

    private final World world;
    private final Chance chance;
    private final List<Actor> actors = new ArrayList<>();
    private boolean isOver = true;

    /** @param chance a separate source of random values */
    Abandoners(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    /**
     * Lets operators come. If {@code external_gte} gives the versions, a late move is accepted after a seal, so no
     * operator comes.
     *
     * @param untilNanos the time after which no operator comes
     */
    void begin(long untilNanos) {
        if (world.files().rules().version() != VersionOwner.EXTERNAL_GTE) {
            world.scheduler().after(untilNanos, () -> isOver = true);
            isOver = false;
        }
    }

    /** Plans an operator if the written entry is parked. */
    void wrote(JournalEntry entry) {
        if (!isOver && entry.state() == State.PARKED && chance.happens(ABANDONED)) {
            world.scheduler().after(chance.between(0, SOON_NANOS), () -> come(entry.requestId()));
        }
    }

    private void come(String requestId) {
        Actor actor = world.actor(PREFIX + (actors.size() + 1));
        actors.add(actor);
        world.scheduler().begin(actor, () -> abandon(actor, requestId));
        if (chance.happens(FROZEN)) {
            world.scheduler()
                    .after(
                            chance.between(0, SOON_NANOS),
                            () -> actor.freeze(world.scheduler().nowNanos() + chance.between(0, LONGEST_NANOS)));
        }
    }

    private void abandon(Actor actor, String requestId) {
        SimulatedTime time = world.time(actor);
        Duration timeout = world.settings().requestTimeout();
        Wire wire = world.network().wire(actor, timeout);
        Abandonment abandonment = new Abandonment(
                world.wiring().journal(actor.name(), new SimulatedJournal(wire, world.cluster())),
                new SimulatedNamespaces(wire, world.cluster()),
                world.wiring()
                        .tree(
                                actor.name(),
                                wire,
                                world.cluster(),
                                world.settings().pageSize()),
                time,
                world.backoffs(time));
        Backoff backoff = world.backoffs(time).begin(actor.name());
        while (backoff.tries() < MOST_TRIES && !isOver) {
            try {
                abandon(abandonment, actor, requestId);
                return;
            } catch (NoAnswerException e) {
                world.stage().report(actor.name(), e::getMessage);
                backoff.pause();
            }
        }
    }

    private void abandon(Abandonment abandonment, Actor actor, String requestId) {
        Optional<Unmoved> unmoved = abandonment.seal(requestId);
        if (unmoved.isEmpty() || unmoved.get().unsealed() > 0 || unmoved.get().problem() != null) {
            world.stage().report(actor.name(), () -> "does not abandon " + requestId + ": " + unmoved);
            return;
        }
        abandonment.end(unmoved.get(), actor.name());
        world.stage()
                .happened(
                        Happening.ABANDONED,
                        actor.name(),
                        () -> "has abandoned " + requestId + "; "
                                + unmoved.get().inWords());
    }

    /** Kills the programs that have not ended at the end of the run. */
    void bury() {
        actors.forEach(world.scheduler()::kill);
    }
}
