package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockDocument.Blocker;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.path.Namespace;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.Rename;
import org.treerename.rename.State;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;

/**
 * While there is no janitor and nothing goes wrong: a rename whose process lives does not go on waiting for holds that can
 * never count again, for it removes them itself. What it may wait for is a hold that counts, an older claim, and a hold of
 * which nobody knows, since its request has no entry.
 */
final class Waits {

    private final Cluster cluster;
    private final Stage stage;
    private final Namespace files;
    private final List<Service> services;
    private Map<String, Set<String>> noted = Map.of();

    Waits(World world, List<Service> services) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.files = world.files();
        this.services = services;
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
                stage.violations().add(Point.LIVENESS, requestId + " waits for the dead holds " + still + " alone");
            }
        });
    }

    private Map<String, Set<String>> waiting() {
        Map<String, Set<String>> waiting = new HashMap<>();
        for (JournalEntry entry : cluster.control(JournalEntry.class)) {
            if (entry.state() == State.PREPARED && ownerLives(entry)) {
                List<Blocker> blockers = blockersOf(entry);
                if (!blockers.isEmpty() && blockers.stream().allMatch(this::isDead)) {
                    waiting.put(
                            entry.requestId(),
                            blockers.stream()
                                    .map(blocker ->
                                            blocker.held().orElseThrow().hold().holdId())
                                    .collect(Collectors.toSet()));
                }
            }
        }
        return waiting;
    }

    private boolean ownerLives(JournalEntry entry) {
        return services.stream()
                .filter(Service::isUp)
                .map(service -> Objects.requireNonNull(service.living()).actor())
                .anyMatch(actor -> actor.name().equals(entry.ownership().processId())
                        && actor.frozenUntilNanos() <= stage.scheduler().nowNanos());
    }

    private List<Blocker> blockersOf(JournalEntry entry) {
        Hold own = new Hold(
                String.valueOf(entry.ownership().holdId()), entry.ownership().processId(), entry.age());
        List<Blocker> blockers = new ArrayList<>();
        Witness.rename(entry, files).map(Rename::lockSet).ifPresent(locks -> {
            locks.modes()
                    .forEach((path, mode) -> cluster.control(
                                    SimulatedLockStore.id(locks.namespace(), path), LockDocument.class)
                            .ifPresent(found -> blockers.addAll(found.blockersOf(own, mode))));
            if (locks.open()) {
                blockers.addAll(blockersAtDocuments(own, locks));
            }
        });
        return blockers;
    }

    /** Where it has left a claim, and will ask again. */
    private List<Blocker> blockersAtDocuments(Hold own, LockSet locks) {
        return cluster.control(LockDocument.class).stream()
                .filter(lock -> lock.claims().containsKey(own.requestId()))
                .filter(lock -> !locks.modes().containsKey(lock.path()))
                .flatMap(lock -> lock.blockersOf(own, LockMode.EXCLUSIVE).stream())
                .toList();
    }

    private boolean isDead(Blocker blocker) {
        Optional<JournalEntry> holder = cluster.control(SimulatedJournal.id(blocker.requestId()), JournalEntry.class);
        return blocker.held().isPresent()
                && holder.isPresent()
                && !(holder.get().state().mayHold()
                        && blocker.held()
                                .get()
                                .hold()
                                .holdId()
                                .equals(holder.get().ownership().holdId()));
    }
}
