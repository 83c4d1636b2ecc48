package org.treerename.simulation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;

/**
 * A planned sequence of faults. Each of these faults happens at random as well, but the faults rarely happen in this
 * order:
 * <ol>
 *   <li>A request that moves documents waits in the queue of a node.
 *   <li>The sender of this request receives no answer, or dies.
 *   <li>A process scans for the documents that are left. During the scan, the node is cut off, and then executes its
 *       queue.
 * </ol>
 * The scan may see moves that are lost later.
 *
 * <p>In some runs, the tree refuses writes instead of the last step, until the rename is parked. So an operator may
 * abandon the rename before the queued request arrives.
 */
final class QueuedMove {

    private static final long SOON_NANOS = 25_000_000;
    private static final long SECOND = 1_000_000_000;

    private enum Next {
        NOTHING,
        MOVE,
        SCAN,
        PARK
    }

    private final World world;
    private final long untilNanos;
    private final Outages outages;
    private boolean parks;
    private Next next = Next.NOTHING;
    private @Nullable Actor mover;

    QueuedMove(World world, long untilNanos) {
        this.world = world;
        this.untilNanos = untilNanos;
        this.outages = new Outages(world);
    }

    /**
     * Plans a sequence that ends with a parked rename, in the share of runs that the wiring determines.
     *
     * @param own a separate source of random values
     */
    void planParked(Chance own) {
        if (own.happens(world.wiring().parkedMoves())) {
            world.scheduler().after(own.between(0, untilNanos / 3), () -> {
                parks = true;
                begin();
            });
        }
    }

    void begin() {
        if (next == Next.NOTHING) {
            next = Next.MOVE;
        }
    }

    private boolean isOver() {
        return world.scheduler().nowNanos() >= untilNanos;
    }

    /**
     * Runs before a service moves documents. If the sequence is at its first fault, the request of this move waits in
     * the queue, and the service may crash.
     */
    void moves(Service service) {
        if (next != Next.MOVE || isOver() || !service.isUp()) {
            return;
        }
        next = parks ? Next.PARK : Next.SCAN;
        if (parks) {
            parks = false;
            outages.refuseWrites();
        }
        Chance chance = world.stage().chance();
        mover = Objects.requireNonNull(service.living()).actor();
        world.network().queueNext(mover);
        if (chance.happens(0.5)) {
            world.scheduler().after(chance.between(0, SOON_NANOS), () -> {
                if (service.isUp()) {
                    service.crash();
                }
            });
        }
    }

    /**
     * Runs before a scan, if the service does not know whether its earlier moves of the scanned documents have arrived.
     * If the sequence has reached its last fault, the node is cut off during the scan.
     */
    void scans(Service service) {
        if (next != Next.SCAN || isOver() || !service.isUp()) {
            return;
        }
        next = Next.NOTHING;
        Actor scanning = Objects.requireNonNull(service.living()).actor();
        world.network().afterComparison(scanning, () -> cutOff(service));
    }

    /** Lets the tree accept writes again if the written entry is parked. */
    void wrote(JournalEntry entry) {
        if (next == Next.PARK && entry.state() == State.PARKED) {
            next = Next.NOTHING;
            outages.acceptWrites();
        }
    }

    private void cutOff(Service service) {
        if (isOver() || !service.isUp()) {
            return;
        }
        Chance chance = world.stage().chance();
        int node = world.nextNode();
        for (int shard = 1; shard < world.cluster().shardCount(); shard++) {
            world.cluster().cutOff(shard, node);
        }
        world.network().cutOff(Objects.requireNonNull(mover), node);
        world.network().cutOff(Objects.requireNonNull(service.living()).actor(), node);
        world.stage()
                .happened(
                        Happening.CUT_OFF_IN_A_SCAN,
                        "cluster",
                        () -> "a node with copies of all tree shards is cut off from the other nodes; only this node is"
                                + " available to " + service.name());
        long frozenNanos = chance.between(0, SECOND);
        service.freeze(frozenNanos);
        world.network().hurry(frozenNanos / 2);
        world.scheduler().after(frozenNanos + chance.between(0, SECOND), world::heal);
    }
}
