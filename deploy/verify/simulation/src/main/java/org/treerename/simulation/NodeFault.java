package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.treerename.simulation.schedule.Chance;

/**
 * Cuts off a node from the other nodes of the cluster. While the node is cut off, some services reach only this node.
 */
final class NodeFault {

    private static final double TREE_SHARD = 0.6;
    private static final double REACHED = 0.4;

    private final World world;
    private final List<Service> services;

    NodeFault(World world, List<Service> services) {
        this.world = world;
        this.services = services;
    }

    /**
     * Cuts off a node until a random time. Only the copies of some random shards on this node are cut off. The node
     * learns of no change of an index.
     *
     * @param ofControl the probability that the control index is cut off as well
     */
    void cutOff(double ofControl) {
        Stage stage = world.stage();
        Chance chance = stage.chance();
        List<String> cut = new ArrayList<>();
        int node = world.nextNode();
        world.cluster().indices().becomeOld(node);
        for (int shard = 0; shard < world.cluster().shardCount(); shard++) {
            if (chance.happens(shard == 0 ? ofControl : TREE_SHARD)) {
                world.cluster().cutOff(shard, node);
                cut.add("shard " + shard);
            }
        }
        for (Service service : services) {
            if (chance.happens(REACHED) && service.isUp()) {
                world.network().cutOff(Objects.requireNonNull(service.living()).actor(), node);
                cut.add(service.name());
            }
        }
        stage.happened(Happening.CUT_OFF, "cluster", () -> "a node is cut off, with these shards and services: " + cut);
        if (world.cluster().hasSeveralStaleCopies()) {
            stage.tally().count(Happening.SEVERAL_STALE_COPIES);
        }
        stage.scheduler().after(chance.between(Phases.SECOND / 5, 3 * Phases.SECOND), world::heal);
    }
}
