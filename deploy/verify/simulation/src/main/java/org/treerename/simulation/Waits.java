package org.treerename.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;

/**
 * Checks the requests that wait for locks. The check runs after the end of all faults, while no janitor runs. A live
 * process must not wait forever for invalid holds, because the process itself can remove them. The process may wait for
 * a valid hold, for an older claim, and for the hold of a request without a journal entry.
 */
final class Waits {

    private final Cluster cluster;
    private final Violations violations;
    private final Waiters waiters;
    private Map<String, Set<String>> noted = Map.of();

    Waits(World world, Waiters waiters) {
        this.cluster = world.cluster();
        this.violations = world.stage().violations();
        this.waiters = waiters;
    }

    /**
     * Stores the requests that wait only for invalid holds. The run calls {@link #check} after each of these requests
     * has made another attempt.
     */
    void note() {
        noted = waiting();
    }

    void check() {
        waiting().forEach((requestId, holdIds) -> {
            Set<String> still = holdIds.stream()
                    .filter(noted.getOrDefault(requestId, Set.of())::contains)
                    .collect(Collectors.toSet());
            if (!still.isEmpty()) {
                violations.add(Point.LIVENESS, requestId + " waits only for invalid holds: " + still);
            }
        });
    }

    private Map<String, Set<String>> waiting() {
        Map<String, Set<String>> waiting = new HashMap<>();
        waiters.now().forEach((own, blockers) -> {
            if (!blockers.isEmpty() && blockers.stream().allMatch(this::isDead)) {
                waiting.put(
                        own.requestId(),
                        blockers.stream()
                                .map(blocker ->
                                        blocker.held().orElseThrow().hold().holdId())
                                .collect(Collectors.toSet()));
            }
        });
        return waiting;
    }

    private boolean isDead(Blocker blocker) {
        Optional<JournalEntry> holder = cluster.control(SimulatedJournal.id(blocker.requestId()), JournalEntry.class);
        return blocker.held().isPresent()
                && holder.isPresent()
                && !holder.get().mayHold(blocker.held().get().hold());
    }
}
