package org.treerename.simulation;

import java.time.Duration;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.process.FencedException;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.StopSignal;
import org.treerename.simulation.schedule.Actor;

/** One process of a service, with its own heartbeat. The tasks of the process share this object. */
final class SimulatedProcess {

    private static final long CLOSING_NANOS = 20_000_000;

    private final World world;
    private final Service service;
    private final Actor actor;
    private final SimulatedTime time;
    private final StopSignal stop = new StopSignal();
    private final SimulatedStores stores;
    private final ProcessContext context;
    private boolean beating = true;
    private boolean betweenBeats = true;
    private boolean ended;
    private @Nullable Heartbeat heartbeat;

    SimulatedProcess(World world, Service service, Actor actor) {
        this.world = world;
        this.service = service;
        this.actor = actor;
        this.time = world.time(actor);
        this.stores = new SimulatedStores(world, service, actor);
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

    SimulatedStores stores() {
        return stores;
    }

    boolean isUp() {
        return actor.isAlive() && !ended && !stop.isRequested();
    }

    /** Runs the process from its first to its last heartbeat. The first task of the process calls this method. */
    void live() {
        ProcessStore own = stores.heartbeats();
        ProcessDocument document = ProcessDocument.live(
                new ProcessId(actor.name()),
                service.name(),
                "host",
                world.settings().lease().length(),
                time.now(),
                own.controlIndexUuid());
        Heartbeat begun;
        try {
            begun = context.retryUntilAnswered("the process document", () -> Heartbeat.begin(own, document));
        } catch (IllegalStateException e) {
            // a janitor fenced the process before the process document was acknowledged, so a new process is started
            world.stage().report(actor.name(), e::getMessage);
            world.startLater(service);
            return;
        }
        heartbeat = begun;
        LongConsumer acknowledged = service.beginning(this);
        Incarnation incarnation = new Incarnation(begun, world.settings().lease(), time, stop, acknowledged);
        if (!service.checksLease()) {
            stop.holdWhile(() -> false);
        }
        world.scheduler().begin(actor, () -> beat(incarnation));
        boolean failed = !work();
        end(begun);
        if (failed) {
            world.scheduler().after(0, this::exit);
        } else if (stop.isAbandoned()) {
            service.start();
        } else {
            world.startLater(service);
        }
    }

    /** Returns false if the work ended with an unexpected exception. */
    private boolean work() {
        try {
            service.work(this);
        } catch (FencedException e) {
            world.stage().report(actor.name(), e::getMessage);
        } catch (RuntimeException e) {
            world.stage()
                    .happened(Happening.ENDED_BY_A_FAILURE, actor.name(), () -> "ends: " + e + ", " + e.getCause());
            return false;
        }
        return true;
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
        stopBeating();
        if (!stop.isAbandoned()) {
            own.stop();
        }
        ended = true;
    }

    private void stopBeating() {
        beating = false;
        world.scheduler().await(CLOSING_NANOS, () -> betweenBeats);
    }

    /** Requests a graceful shutdown. After the grace period the process hands over its unfinished work. */
    void shutDown(long graceNanos) {
        world.stage().report(actor.name(), () -> "receives a stop request");
        stop.request();
        world.scheduler().after(graceNanos, () -> {
            if (!ended && actor.isAlive() && !stop.isAbandoned()) {
                world.scheduler().begin(actor, this::handOver);
            }
        });
    }

    private void handOver() {
        Heartbeat begun = heartbeat;
        stopBeating();
        if (begun != null) {
            begun.stop();
        }
        world.scheduler().after(0, () -> {
            if (!ended) {
                exit();
            }
        });
    }

    private void exit() {
        if (actor.isAlive()) {
            world.stage().report(actor.name(), () -> "exits without finishing its work");
            world.scheduler().kill(actor);
            world.log().leave(actor);
            world.startLater(service);
        }
    }
}
