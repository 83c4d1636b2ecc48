package org.treerename.simulation;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.schedule.Chance;

/**
 * Causes faults soon after the write of a journal entry. A trap is set for one state. The next process that writes an
 * entry in this state crashes or freezes. Even if no trap is set, most processes crash or freeze soon after they
 * acquire a lock for a request without an entry.
 */
final class Trap {

    private static final long SOON = Phases.SECOND / 40;
    private static final long FROZEN_LONG = 3 * Phases.SECOND;
    private static final List<State> STATES = List.of(
            State.PREPARED,
            State.PREPARED,
            State.PREPARED,
            State.MOVING,
            State.MOVING,
            State.MOVING,
            State.DONE,
            State.REJECTED);

    private final Stage stage;
    private final List<Service> services;
    private final NodeFault nodeFault;
    private @Nullable State state;

    /**
     * Whether a node is cut off soon after the next repeated attempt of a request. A client of the node may then read
     * the entry of the previous attempt together with the holds of the new attempt.
     */
    private boolean cutsOffNextAttempt;

    Trap(Stage stage, List<Service> services, NodeFault nodeFault) {
        this.stage = stage;
        this.services = services;
        this.nodeFault = nodeFault;
    }

    /** Sets the trap for a random state. */
    void set() {
        state = stage.chance().of(STATES);
    }

    void cutOffNextAttempt() {
        cutsOffNextAttempt = true;
    }

    /**
     * Plans a fault of the sender if the written entry has the state of the trap. The entry is null if a lock was
     * written for a request without an entry. For a null entry, a fault is planned with a high probability, even if no
     * trap is set.
     */
    void wrote(Sender sender, @Nullable JournalEntry entry) {
        boolean faultsEnded = stage.scheduler().nowNanos() >= Phases.FAULTS_UNTIL;
        if (cutsOffNextAttempt
                && entry != null
                && entry.state() == State.PREPARED
                && entry.ownership().epoch() > 1
                && !faultsEnded) {
            cutsOffNextAttempt = false;
            stage.scheduler().after(stage.chance().between(0, SOON), () -> nodeFault.cutOff(1));
        }
        boolean springs = entry == null ? stage.chance().happens(0.9) : state == entry.state();
        if (!springs || faultsEnded) {
            return;
        }
        for (Service service : services) {
            if (service.isUp()
                    && Objects.requireNonNull(service.living()).actor().name().equals(sender.name())) {
                spring(service);
            }
        }
    }

    private void spring(Service service) {
        Chance chance = stage.chance();
        boolean crashes = chance.happens(0.6);
        // if a process freezes for a long time while it moves documents, another process may end the rename
        long least = state == State.MOVING ? FROZEN_LONG : Phases.SECOND / 2;
        state = null;
        stage.scheduler().after(chance.between(0, SOON), () -> {
            if (crashes && service.isUp()) {
                service.crash();
            } else {
                service.freeze(chance.between(least, 5 * Phases.SECOND));
            }
        });
    }
}
