package org.treerename.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.treerename.simulation.schedule.Chance;

/** Plans the faults of a run at random times. */
final class RandomFaults {

    private static final int MOST_FAILURES = 12;

    private final World world;
    private final Stage stage;
    private final Chance chance;
    private final List<Service> services;
    private final QueuedMove queuedMove;
    private final NodeFault nodeFault;
    private final Trap trap;
    private final Outages outages;

    RandomFaults(World world, List<Service> services, QueuedMove queuedMove) {
        this.world = world;
        this.stage = world.stage();
        this.chance = stage.chance();
        this.services = services;
        this.queuedMove = queuedMove;
        this.nodeFault = new NodeFault(world, services);
        this.trap = new Trap(stage, services, nodeFault);
        this.outages = new Outages(world);
    }

    Trap trap() {
        return trap;
    }

    void plan() {
        several(2, this::crash);
        several(2, () -> chance.of(services).freeze(upToFiveSeconds()));
        several(2, this::shutDown);
        several(1, () -> world.log().rebalance());
        several(1, () -> world.log().expelAMember());
        planPartition();
        several(2, this::failOver);
        several(4, trap::set);
        several(3, () -> nodeFault.cutOff(0.6));
        several(1, trap::cutOffNextAttempt);
        planQueuedMoves();
        several(1, outages::block);
        several(1, this::hang);
        several(1, () -> world.bugs().fail(1 + chance.below(MOST_FAILURES)));
        several(2, this::jump);
        several(1, () -> chance.of(services).suspend(upToFiveSeconds()));
        several(1, outages::refuse);
        several(2, this::expirePits);
        several(1, () -> world.operators().pauseForAWhile());
        several(1, () -> world.operators().fenceALiveProcess());
    }

    /** Ends all faults. */
    void end() {
        world.becomeQuiet();
        outages.end();
    }

    private void several(int most, Runnable event) {
        int times = chance.happens(0.5) ? 0 : 1 + chance.below(most);
        for (int i = 0; i < times; i++) {
            stage.scheduler().after(chance.between(0, Phases.FAULTS_UNTIL - 1), event);
        }
    }

    private long upToFiveSeconds() {
        return chance.between(Phases.SECOND / 2, 5 * Phases.SECOND);
    }

    private void planPartition() {
        if (chance.happens(0.2)) {
            stage.scheduler()
                    .after(
                            chance.between(0, Phases.FAULTS_UNTIL - 1),
                            () -> world.log().addPartition());
        }
    }

    private void planQueuedMoves() {
        if (chance.happens(0.95)) {
            stage.scheduler().after(chance.between(0, Phases.REQUESTS_UNTIL / 2), queuedMove::begin);
            stage.scheduler()
                    .after(chance.between(Phases.REQUESTS_UNTIL / 2, Phases.REQUESTS_UNTIL), queuedMove::begin);
        }
    }

    private void crash() {
        Service service = chance.of(services);
        if (service.isUp()) {
            service.crash();
        }
    }

    private void shutDown() {
        Service service = chance.of(services);
        if (service.isUp()) {
            service.shutDown(world.settings().grace().toNanos());
        }
    }

    private void hang() {
        Service service = chance.of(services);
        if (service.isUp()) {
            world.bugs().hang(Objects.requireNonNull(service.living()).actor());
        }
    }

    private void failOver() {
        int shard = chance.below(world.cluster().shardCount());
        stage.happened(Happening.FAILOVER, "cluster", () -> "shard " + shard + " fails over");
        world.cluster().failOver(shard);
    }

    private void expirePits() {
        if (world.cluster().openPits() > 0) {
            stage.happened(Happening.EXPIRED_PITS, "cluster", () -> "deletes all points in time");
            world.cluster().expirePits();
        }
    }

    /**
     * Sets the wall clock of a random process days forward or hours back. These clocks are never set back:
     * <ul>
     *   <li>the clock of a writer, because this clock shows how long the writer's machine was suspended, and how old
     *       the writer's entries are;
     *   <li>the clock of a process of direct renames, because this clock gives the ages of the entries of these
     *       renames;
     *   <li>every clock if entries expire. If a clock were behind by more than the retention, an entry whose end time
     *       comes from this clock would expire at once.
     * </ul>
     */
    private void jump() {
        Service service = chance.of(services);
        SimulatedProcess living = service.living();
        if (living != null) {
            Duration by = chance.happens(0.6)
                    ? Duration.ofDays(1 + chance.below(60))
                    : Duration.ofHours(-1 - chance.below(48));
            boolean givesAges = service instanceof WriterService
                    || service instanceof DirectService
                    || world.settings().areExpiring();
            if (by.isNegative() && givesAges) {
                return;
            }
            stage.happened(Happening.CLOCK_JUMP, living.actor().name(), () -> "its wall clock jumps by " + by);
            living.time().jump(by);
        }
    }
}
