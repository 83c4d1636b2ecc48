package org.treerename.simulation;

import java.time.Duration;
import org.treerename.journal.Watermark;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedNamespaces;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.elasticsearch.SimulatedWatermark;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;

/**
 * Creates the stores of one process. The stores count version conflicts, and report moves and scans of documents to the
 * {@link World}.
 */
final class SimulatedStores {

    private final World world;
    private final Service service;
    private final Actor actor;
    private final Wire wire;

    SimulatedStores(World world, Service service, Actor actor) {
        this.world = world;
        this.service = service;
        this.actor = actor;
        this.wire = world.network().wire(actor, world.settings().requestTimeout());
    }

    /** Returns the store of the process documents of all processes. A wiring may replace this store. */
    ProcessStore processes() {
        return tallied(world.wiring().processes(actor.name(), new SimulatedProcessStore(wire, world.cluster())));
    }

    /** Returns the store to which the process writes its heartbeats. Heartbeats have a separate timeout. */
    ProcessStore heartbeats() {
        Duration timeout = world.settings().lease().heartbeatTimeout();
        return tallied(new SimulatedProcessStore(world.network().wire(actor, timeout), world.cluster()));
    }

    private ProcessStore tallied(ProcessStore store) {
        return new Tallied(world.stage()).of(store);
    }

    Watermark watermark() {
        return world.wiring().watermark(new SimulatedWatermark(wire, world.cluster(), world::now));
    }

    Stores all() {
        return over(wire, () -> {});
    }

    /**
     * Returns the stores of a process that processes renames. Calls to these stores may fail or block because of
     * simulated bugs.
     *
     * @param moved the action that runs before and after each request to Elasticsearch
     */
    Stores forRenames(Runnable moved) {
        return over(new BuggyWire(wire, world.bugs(), moved), moved);
    }

    private Stores over(Wire way, Runnable moved) {
        Wiring wiring = world.wiring();
        Tallied tallied = new Tallied(world.stage());
        int pageSize = world.settings().pageSize();
        return new Stores(
                wiring.namespaces(new SimulatedNamespaces(way, world.cluster())),
                tallied.of(wiring.journal(actor.name(), new SimulatedJournal(way, world.cluster()))),
                wiring.locks(actor.name(), new SimulatedLockStore(way, world.cluster())),
                tallied.of(
                        new SilentTree(
                                wiring.tree(actor.name(), way, world.cluster(), pageSize),
                                world::isSecondSilent,
                                () -> {
                                    moved.run();
                                    world.scheduler()
                                            .pause(world.settings()
                                                    .requestTimeout()
                                                    .toNanos());
                                }),
                        service.isJanitor(),
                        new Tallied.Ears() {
                            @Override
                            public void moves() {
                                world.moves(service);
                            }

                            @Override
                            public void scans() {
                                world.scans(service);
                            }
                        }),
                wiring.outcomes(world.outcomes().port()));
    }
}
