package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.process.FencedException;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.Stores;
import org.treerename.rename.Watermarks;
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
 * One worker, janitor or writer, incarnation after incarnation: wired as its Main does it, with a heartbeat of its own; started
 * again, under a new process id, where it was fenced, has crashed or was stopped.
 */
abstract class Service {

    private static final long CLOSING_NANOS = 20_000_000;

    private final World world;
    private final String name;
    private int incarnations;
    private final List<Actor> everybody = new ArrayList<>();
    private @Nullable Living living;

    Service(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** One incarnation, as its tasks share it. */
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
         * Returns the stores of a process that carries renames, and meets bugs.
         *
         * @param moved runs before and after each request
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
                // fenced before it knew that it lives: the process ends with an error, and is started again
                world.stage().tell(actor.name(), e::getMessage);
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
                world.stage().tell(actor.name(), e::getMessage);
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

    /** Whether it holds still while it doubts its own lease. */
    boolean checksLease() {
        return world.wiring().checksLease();
    }

    /** Prepares an incarnation's work. Is told of each acknowledged heartbeat from then on. */
    abstract LongConsumer beginning(Living process);

    /** Runs until the process is to stop. */
    abstract void work(Living process);

    World world() {
        return world;
    }

    String name() {
        return name;
    }

    /** The present incarnation; null if none was begun. */
    @Nullable
    Living living() {
        return living;
    }

    void start() {
        incarnations++;
        Actor actor = world.actor(name + "." + incarnations);
        everybody.add(actor);
        Living next = new Living(actor);
        living = next;
        world.stage().tell(actor.name(), () -> "begins");
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

    /** Of what the crash of a process is one. */
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
                        // nobody is at it
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

    /** Freezes it with its machine, whose monotonic clock stands still. */
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

    /** Asks it to stop in good order; what has not ended after the grace is handed over. */
    void shutDown(long graceNanos) {
        Living stopping = living;
        if (stopping != null) {
            world.stage().tell(stopping.actor.name(), () -> "is asked to stop");
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
            world.stage().tell(process.actor.name(), () -> "exits, whatever is under way");
            world.scheduler().kill(process.actor);
            world.log().leave(process.actor);
            world.startLater(this);
        }
    }

    /** Whether a process ended without an end, and may have left something open. */
    static boolean anyDied(List<Service> services) {
        return services.stream().flatMap(service -> service.everybody.stream()).anyMatch(actor -> !actor.isAlive());
    }

    /** Ends what still runs when the run is over. */
    void bury() {
        everybody.forEach(world.scheduler()::kill);
    }
}
