package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Watermarks;
import org.treerename.process.FencedException;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.runtime.StopSignal;
import org.treerename.simulation.elasticsearch.Request;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedNamespaces;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.elasticsearch.SimulatedWatermarks;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;

/**
 * One worker, janitor or writer. It runs one process after the other. Each process has the components that the
 * product's {@code Main} creates, and its own heartbeat. After a process was fenced, crashed or stopped, the service
 * starts a new process with a new process id.
 */
abstract class Service {

    private static final long CLOSING_NANOS = 20_000_000;

    private final World world;
    private final String name;
    private int incarnations;
    private final List<Actor> actors = new ArrayList<>();
    private @Nullable Living living;

    Service(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** One process of the service. Its tasks share this object. */
    final class Living {
        private final Actor actor;
        private final SimulatedTime time;
        private final StopSignal stop = new StopSignal();
        private final Wire wire;
        private final ProcessContext context;
        private boolean beating = true;
        private boolean betweenBeats = true;
        private boolean ended;
        private boolean failed;
        private @Nullable Heartbeat heartbeat;

        Living(Actor actor) {
            this.actor = actor;
            this.time = world.time(actor);
            this.wire = world.network().wire(actor, world.settings().requestTimeout());
            this.context = world.context(actor.name(), time, stop);
        }

        Actor actor() {
            return actor;
        }

        SimulatedTime time() {
            return time;
        }

        ProcessContext context() {
            return context;
        }

        ProcessStore processes() {
            return tallied(world.wiring().processes(actor.name(), new SimulatedProcessStore(wire, world.cluster())));
        }

        Watermarks watermarks() {
            return new SimulatedWatermarks(wire, world.cluster());
        }

        private ProcessStore tallied(ProcessStore store) {
            return new TalliedProcessStore(store, world.stage());
        }

        Stores stores() {
            return stores(wire);
        }

        /**
         * Returns the stores of a process that processes renames. The calls to them may fail or block because of
         * simulated bugs.
         *
         * @param moved the action that runs before and after each request
         */
        Stores stores(Runnable moved) {
            return stores(new Wire() {
                @Override
                public <T> T ask(Request<T> request) {
                    moved.run();
                    world.bugs().call();
                    T answer = wire.ask(request);
                    moved.run();
                    return answer;
                }

                @Override
                public <T> Pending<T> begin(Request<T> request) {
                    moved.run();
                    world.bugs().call();
                    Pending<T> pending = wire.begin(request);
                    return new Pending<>() {
                        @Override
                        public boolean hasEnded() {
                            return pending.hasEnded();
                        }

                        @Override
                        public T answer() {
                            T answer = pending.answer();
                            moved.run();
                            return answer;
                        }
                    };
                }

                @Override
                public void carries(JournalEntry entry) {
                    wire.carries(entry);
                }
            });
        }

        private Stores stores(Wire way) {
            return new Stores(
                    world.wiring().namespaces(new SimulatedNamespaces(way, world.cluster())),
                    new TalliedJournal(
                            world.wiring().journal(actor.name(), new SimulatedJournal(way, world.cluster())),
                            world.stage()),
                    world.wiring().locks(actor.name(), new SimulatedLockStore(way, world.cluster())),
                    new TalliedTreeStore(
                            world.wiring()
                                    .tree(
                                            actor.name(),
                                            way,
                                            world.cluster(),
                                            world.settings().pageSize()),
                            world.stage(),
                            name.startsWith("janitor"),
                            new TalliedTreeStore.Ears() {
                                @Override
                                public void moves() {
                                    world.moves(Service.this);
                                }

                                @Override
                                public void scans() {
                                    world.scans(Service.this);
                                }
                            }),
                    world.wiring().outcomes(world.outcomes().port()));
        }

        private void live() {
            Wire heartbeats =
                    world.network().wire(actor, world.settings().lease().heartbeatTimeout());
            ProcessStore own = tallied(new SimulatedProcessStore(heartbeats, world.cluster()));
            ProcessDocument document = ProcessDocument.live(
                    new ProcessId(actor.name()),
                    name,
                    "host",
                    world.settings().lease().length(),
                    time.now(),
                    own.controlIndexUuid());
            Heartbeat begun;
            try {
                begun = context.retryUntilAnswered("the process document", () -> Heartbeat.begin(own, document));
            } catch (IllegalStateException e) {
                // the process was fenced before its process document was acknowledged: it ends with an error, and the
                // service starts a new process
                world.stage().report(actor.name(), e::getMessage);
                world.startLater(Service.this);
                return;
            }
            heartbeat = begun;
            LongConsumer acknowledged = beginning(this);
            Incarnation incarnation = new Incarnation(begun, world.settings().lease(), time, stop, acknowledged);
            if (!checksLease()) {
                stop.holdWhile(() -> false);
            }
            world.scheduler().begin(actor, () -> beat(incarnation));
            try {
                work(this);
            } catch (FencedException e) {
                world.stage().report(actor.name(), e::getMessage);
            } catch (RuntimeException e) {
                world.stage()
                        .happened(Happening.ENDED_BY_A_FAILURE, actor.name(), () -> "ends: " + e + ", " + e.getCause());
                failed = true;
            }
            end(begun);
            if (failed) {
                world.scheduler().after(0, () -> exit(this));
            } else if (stop.isAbandoned()) {
                start();
            } else {
                world.startLater(Service.this);
            }
        }

        private void beat(Incarnation incarnation) {
            Duration every = world.settings().lease().heartbeatEvery();
            while (beating) {
                long begun = time.nanos();
                betweenBeats = false;
                incarnation.beat();
                betweenBeats = true;
                time.pause(every.minusNanos(Math.min(every.toNanos(), time.nanos() - begun)));
            }
        }

        private void end(Heartbeat own) {
            beating = false;
            world.scheduler().await(CLOSING_NANOS, () -> betweenBeats);
            if (!stop.isAbandoned()) {
                own.stop();
            }
            ended = true;
        }
    }

    /** Returns whether the process blocks while its lease is in doubt. */
    boolean checksLease() {
        return world.wiring().checksLease();
    }

    /**
     * Prepares the work of a process. Returns a callback, which receives the sending time of each acknowledged
     * heartbeat.
     */
    abstract LongConsumer beginning(Living process);

    /** Runs the work of the process until the process must stop. */
    abstract void work(Living process);

    World world() {
        return world;
    }

    String name() {
        return name;
    }

    /** Returns the current process; null if the service has not started. */
    @Nullable
    Living living() {
        return living;
    }

    void start() {
        incarnations++;
        Actor actor = world.actor(name + "." + incarnations);
        actors.add(actor);
        Living next = new Living(actor);
        living = next;
        world.stage().report(actor.name(), () -> "starts");
        world.scheduler().begin(actor, next::live);
    }

    boolean isUp() {
        return living != null && living.actor.isAlive() && !living.ended && !living.stop.isRequested();
    }

    void crash() {
        if (living != null) {
            String who = living.actor.name();
            world.stage().happened(Happening.CRASH, who, () -> "crashes");
            underWay(who).forEach(world.stage().tally()::count);
            world.scheduler().kill(living.actor);
            world.log().expire(living.actor);
            world.startLater(this);
        }
    }

    /** Returns the events that the crash of a process increments, according to the states of its entries. */
    private List<Happening> underWay(String who) {
        List<Happening> kinds = new ArrayList<>();
        if (name.startsWith("janitor")) {
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
            String who = living.actor.name();
            world.stage().happened(Happening.FREEZE, who, () -> "freezes for " + nanos / 1_000_000 + " ms");
            living.actor.freeze(world.scheduler().nowNanos() + nanos);
            world.log().expire(living.actor);
        }
    }

    /** Freezes the process together with its machine. The monotonic clock of the process does not advance meanwhile. */
    void suspend(long nanos) {
        if (living != null) {
            String who = living.actor.name();
            world.stage()
                    .happened(
                            Happening.SUSPENDED,
                            who,
                            () -> "is suspended with its machine for " + nanos / 1_000_000 + " ms");
            living.actor.suspend(world.scheduler().nowNanos(), nanos);
            world.log().expire(living.actor);
        }
    }

    /** Requests a graceful shutdown. After the grace period the process hands over its unfinished work. */
    void shutDown(long graceNanos) {
        Living stopping = living;
        if (stopping != null) {
            world.stage().report(stopping.actor.name(), () -> "receives a stop request");
            stopping.stop.request();
            world.scheduler().after(graceNanos, () -> {
                if (!stopping.ended && stopping.actor.isAlive() && !stopping.stop.isAbandoned()) {
                    world.scheduler().begin(stopping.actor, () -> handOver(stopping));
                }
            });
        }
    }

    private void handOver(Living stopping) {
        Heartbeat heartbeat = stopping.heartbeat;
        stopping.beating = false;
        world.scheduler().await(CLOSING_NANOS, () -> stopping.betweenBeats);
        if (heartbeat != null) {
            heartbeat.stop();
        }
        world.scheduler().after(0, () -> {
            if (!stopping.ended) {
                exit(stopping);
            }
        });
    }

    private void exit(Living process) {
        if (process.actor.isAlive()) {
            world.stage().report(process.actor.name(), () -> "exits without finishing its work");
            world.scheduler().kill(process.actor);
            world.log().leave(process.actor);
            world.startLater(this);
        }
    }

    /** Returns whether any process was killed. A point in time of a killed process may still be open. */
    static boolean anyDied(List<Service> services) {
        return services.stream().flatMap(service -> service.actors.stream()).anyMatch(actor -> !actor.isAlive());
    }

    /** Kills the processes that have not ended at the end of the run. */
    void bury() {
        actors.forEach(world.scheduler()::kill);
    }
}
