package org.treerename.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.rename.JournalEntry;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;

/**
 * Checks requests that wait for locks while there is no janitor and all faults have ended. A live process must not keep waiting
 * for holds that can never count again, because it removes them itself. It may wait for a hold that counts, for an older
 * claim, and for the hold of a request without a journal entry.
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

    /** Notes the requests that wait only for holds that do not count. {@link #judge} is called after each has made another attempt. */
    void note() {
        noted = waiting();
    }

    void judge() {
        waiting().forEach((requestId, holdIds) -> {
            Set<String> still = holdIds.stream()
                    .filter(noted.getOrDefault(requestId, Set.of())::contains)
                    .collect(Collectors.toSet());
            if (!still.isEmpty()) {
                violations.add(Point.LIVENESS, requestId + " waits only for holds that do not count: " + still);
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
