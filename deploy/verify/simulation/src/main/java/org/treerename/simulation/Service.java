package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.simulation.schedule.Actor;

/**
 * Runs the processes of a worker, a janitor, a writer or an operator, one after the other. Each process has the
 * components that the product's {@code Main} creates. After a process was fenced, has crashed or has stopped, the
 * service starts a new process with a new process id.
 */
abstract class Service {

    private final World world;
    private final String name;
    private int incarnations;
    private final List<Actor> actors = new ArrayList<>();
    private @Nullable SimulatedProcess living;

    Service(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** Returns whether a process of this service blocks while its lease is in doubt. */
    boolean checksLease() {
        return world.wiring().checksLease();
    }

    /**
     * Prepares the work of a process. Returns a callback, which receives the sending time of each acknowledged
     * heartbeat.
     */
    abstract LongConsumer beginning(SimulatedProcess process);

    /** Runs the work of the process until the process must stop. */
    abstract void work(SimulatedProcess process);

    World world() {
        return world;
    }

    String name() {
        return name;
    }

    boolean isJanitor() {
        return name.startsWith("janitor");
    }

    /** Returns the current process; null if the service has not started. */
    @Nullable
    SimulatedProcess living() {
        return living;
    }

    void start() {
        incarnations++;
        Actor actor = world.actor(name + "." + incarnations);
        actors.add(actor);
        SimulatedProcess next = new SimulatedProcess(world, this, actor);
        living = next;
        world.stage().report(actor.name(), () -> "starts");
        world.scheduler().begin(actor, next::live);
    }

    boolean isUp() {
        return living != null && living.isUp();
    }

    void crash() {
        if (living != null) {
            Actor actor = living.actor();
            world.stage().happened(Happening.CRASH, actor.name(), () -> "crashes");
            underWay(actor.name()).forEach(world.stage().tally()::count);
            world.scheduler().kill(actor);
            world.log().expire(actor);
            world.startLater(this);
        }
    }

    /** Returns the events to count when a process crashes, by the states of its entries. */
    private List<Happening> underWay(String who) {
        List<Happening> kinds = new ArrayList<>();
        if (isJanitor()) {
            kinds.add(Happening.CRASH_OF_A_JANITOR);
        }
        for (JournalEntry entry : world.cluster().control(JournalEntry.class)) {
            if (entry.ownership().processId().equals(who)) {
                switch (entry.state()) {
                    case PREPARED -> kinds.add(Happening.CRASH_WHILE_PREPARED);
                    case HELD -> kinds.add(Happening.CRASH_WHILE_HELD);
                    case MOVING -> kinds.add(Happening.CRASH_WHILE_MOVING);
                    case DONE, REJECTED, FAILED, CANCELLED -> kinds.add(Happening.CRASH_WHILE_ENDED);
                    case RETRY, PARKED, CLOSED -> {
                        // no process works on this entry
                    }
                }
            }
        }
        return kinds;
    }

    void freeze(long nanos) {
        if (living != null) {
            Actor actor = living.actor();
            world.stage().happened(Happening.FREEZE, actor.name(), () -> "freezes for " + nanos / 1_000_000 + " ms");
            actor.freeze(world.scheduler().nowNanos() + nanos);
            world.log().expire(actor);
        }
    }

    /**
     * Freezes the process together with its machine. The monotonic clock of the process does not advance during the
     * freeze.
     */
    void suspend(long nanos) {
        if (living != null) {
            Actor actor = living.actor();
            world.stage()
                    .happened(
                            Happening.SUSPENDED,
                            actor.name(),
                            () -> "is suspended with its machine for " + nanos / 1_000_000 + " ms");
            actor.suspend(world.scheduler().nowNanos(), nanos);
            world.log().expire(actor);
        }
    }

    /** Requests a graceful shutdown. After the grace period the process hands over its unfinished work. */
    void shutDown(long graceNanos) {
        if (living != null) {
            living.shutDown(graceNanos);
        }
    }

    /** Returns whether any process was killed. A point in time of a killed process may still be open. */
    static boolean anyDied(List<Service> services) {
        return services.stream().flatMap(service -> service.actors.stream()).anyMatch(actor -> !actor.isAlive());
    }

    /**
     * Kills the processes that have not ended at the end of the run. Also kills each process that a killed process has
     * started.
     */
    void bury() {
        for (int i = 0; i < actors.size(); i++) {
            world.scheduler().kill(actors.get(i));
        }
    }
}
