package org.treerename.simulation;

import java.util.HashMap;
import java.util.Map;
import org.treerename.lock.Hold;
import org.treerename.simulation.schedule.Scheduler;

/** Checks that a request does not wait long for free locks after all faults have ended. */
final class Wakes {

    /**
     * The longest allowed wait for free locks. It is longer than any pause between two attempts, and than a watchdog
     * needs to end a process that hangs: a watchdog waits for at most 8 s without progress, and checks every fifth of
     * this time. A doubt about the lease starts the time without progress again.
     */
    private static final long LATEST_NANOS = 15_000_000_000L;

    private final Scheduler scheduler;
    private final Violations violations;
    private final Waiters waiters;

    /** Since when all locks of a waiting request are free, by the hold of its last attempt. */
    private Map<Hold, Long> free = Map.of();

    Wakes(World world, Waiters waiters) {
        this.scheduler = world.scheduler();
        this.violations = world.stage().violations();
        this.waiters = waiters;
    }

    /**
     * Adds a violation for each request that has waited too long for free locks. The run calls this method at regular
     * intervals.
     */
    void poll() {
        long now = scheduler.nowNanos();
        Map<Hold, Long> next = new HashMap<>();
        waiters.now().forEach((own, blockers) -> {
            if (blockers.isEmpty()) {
                next.put(own, free.getOrDefault(own, now));
            }
        });
        free = next;
        free.forEach((own, since) -> {
            if (now - since > LATEST_NANOS) {
                violations.add(
                        Point.LIVENESS,
                        own.requestId() + " has waited for " + (now - since) / 1_000_000 + " ms for free locks");
            }
        });
    }
}
