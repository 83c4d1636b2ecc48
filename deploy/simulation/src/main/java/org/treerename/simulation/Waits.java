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
 * While there is no janitor and nothing goes wrong: a request whose process lives does not go on waiting for holds that can
 * never count again, for it removes them itself. What it may wait for is a hold that counts, an older claim, and a hold of
 * which nobody knows, since its request has no entry.
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

    /** Notes who waits for the dead alone; {@link #judge} is called when each has tried again. */
    void note() {
        noted = waiting();
    }

    void judge() {
        waiting().forEach((requestId, holdIds) -> {
            Set<String> still = holdIds.stream()
                    .filter(noted.getOrDefault(requestId, Set.of())::contains)
                    .collect(Collectors.toSet());
            if (!still.isEmpty()) {
                violations.add(Point.LIVENESS, requestId + " waits for the dead holds " + still + " alone");
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
