package org.treerename.simulation.elasticsearch;

import java.util.Map;
import java.util.TreeMap;

/**
 * One shard with its primary and, while nodes that have held it are cut off, their copies: each takes reads, which are
 * stale, and writes, which are never acknowledged and gone when the node comes back.
 */
final class Replicated {

    private final String index;
    private final int number;
    private final Shard primary;

    /** The copies of the nodes that are cut off, each for itself, by the number of the node. */
    private final Map<Integer, Shard> cutOff = new TreeMap<>();

    private boolean isGone;

    Replicated(String index, int number) {
        this(index, number, new Shard());
    }

    private Replicated(String index, int number, Shard primary) {
        this.index = index;
        this.number = number;
        this.primary = primary;
    }

    /** Removes this shard and returns the same shard of a new index. Nodes that are cut off still know the old one. */
    Replicated madeAgain() {
        isGone = true;
        Replicated again = new Replicated(index, number, primary.madeAgain());
        again.cutOff.putAll(cutOff);
        return again;
    }

    /** Whether its index was deleted. */
    boolean isGone() {
        return isGone;
    }

    String index() {
        return index;
    }

    /** As in {@code files-1[0]}. */
    String name() {
        return index + "[" + number + "]";
    }

    Shard primary() {
        return primary;
    }

    /**
     * Returns the copy that a client meets.
     *
     * @param node zero for one that is not cut off
     */
    Shard metBy(int node) {
        return cutOff.getOrDefault(node, primary);
    }

    boolean isCutOff(Shard copy) {
        return copy != primary;
    }

    /** Each copy refreshes itself now and then, and asks no other. */
    void refreshItself() {
        primary.refresh();
        cutOff.values().forEach(Shard::refresh);
    }

    void failOver() {
        primary.failOver();
    }

    /** The node of the primary is cut off, and another copy becomes the primary. */
    void cutOff(int node) {
        cutOff.put(node, primary.copy());
        primary.failOver();
    }

    boolean hasSeveralStaleCopies() {
        return cutOff.size() > 1;
    }

    void heal() {
        cutOff.clear();
    }
}
