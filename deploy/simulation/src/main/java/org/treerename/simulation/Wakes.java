package org.treerename.simulation;

import java.util.HashMap;
import java.util.Map;
import org.treerename.lock.Hold;
import org.treerename.simulation.schedule.Scheduler;

/** Once nothing goes wrong any more, a request does not go on waiting for locks that nothing refuses it. */
final class Wakes {

    /** Longer than a watchdog takes to end a process that hangs, or than any pause between two attempts. */
    private static final long LATEST_NANOS = 10_000_000_000L;

    private final Scheduler scheduler;
    private final Violations violations;
    private final Waiters waiters;

    /** Since when nothing has refused a request that waits; by its last attempt. */
    private Map<Hold, Long> free = Map.of();

    Wakes(World world, Waiters waiters) {
        this.scheduler = world.scheduler();
        this.violations = world.stage().violations();
        this.waiters = waiters;
    }

    /** Looks at all that wait; it is to be called every so often. */
    void look() {
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
                        own.requestId() + " has waited for " + (now - since) / 1_000_000
                                + " ms for locks that nothing refuses it");
            }
        });
    }
}
