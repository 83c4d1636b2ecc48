package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.treerename.journal.Watermark;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.simulation.elasticsearch.SimulatedNamespaces;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.elasticsearch.SimulatedWatermark;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.ForwardingMoveStream;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

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
                        new SilentTree(wiring.tree(actor.name(), way, world.cluster(), pageSize), world, moved),
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

    /**
     * Passes calls to a tree store, as long as the tree is not silent. While the second tree is silent, each call waits
     * for the timeout and gets no answer, as for an index without a primary shard.
     *
     * @param waiting the action that runs before the wait for the timeout
     */
    private record SilentTree(TreeStore tree, World world, Runnable waiting) implements ForwardingTreeStore {

        private void await(Namespace namespace) {
            if (!namespace.name().equals(World.FILES.name()) && world.isSecondSilent()) {
                waiting.run();
                world.scheduler().pause(world.settings().requestTimeout().toNanos());
                throw new NoAnswerException("the tree of " + namespace.name() + " does not answer", null);
            }
        }

        @Override
        public Map<String, String> indices(Namespace namespace) {
            await(namespace);
            return tree.indices(namespace);
        }

        @Override
        public TreeSnapshot examine(Rename rename) {
            await(rename.namespace());
            return tree.examine(rename);
        }

        @Override
        public Scan scan(Namespace namespace, TreePath path, Reach reach) {
            await(namespace);
            return tree.scan(namespace, path, reach);
        }

        @Override
        public Scan open(Rename rename, TreeSnapshot snapshot) {
            await(rename.namespace());
            return tree.open(rename, snapshot);
        }

        @Override
        public List<Written> move(Namespace namespace, List<Move> moves) {
            await(namespace);
            return tree.move(namespace, moves);
        }

        @Override
        public MoveStream moves(Namespace namespace) {
            return new SilentMoves(tree.moves(namespace), () -> await(namespace));
        }
    }

    /** @param await fails if the tree is silent */
    private record SilentMoves(MoveStream stream, Runnable await) implements ForwardingMoveStream {

        @Override
        public List<MoveResult> send(List<TreeStore.Move> moves) {
            try {
                await.run();
            } catch (NoAnswerException e) {
                List<MoveResult> results = new ArrayList<>(stream.finish());
                results.add(MoveResult.silent(moves, e));
                return results;
            }
            return stream.send(moves);
        }
    }
}
