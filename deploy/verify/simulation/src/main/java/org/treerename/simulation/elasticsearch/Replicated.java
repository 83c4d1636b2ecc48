package org.treerename.simulation.elasticsearch;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One shard: its primary, and its copies on cut-off nodes. A cut-off copy answers reads with stale documents. A cut-off
 * copy accepts writes, but never acknowledges them. These writes are lost when the cut-off node is connected again.
 */
final class Replicated {

    private final String index;
    private final int number;
    private final Shard primary;

    /** The copies on cut-off nodes, by the number of the node. A write to one of them reaches no other copy. */
    private final Map<Integer, Shard> cutOff = new TreeMap<>();

    private boolean isGone;
    private boolean isHidden;

    Replicated(String index, int number) {
        this(index, number, new Shard());
    }

    private Replicated(String index, int number, Shard primary) {
        this.index = index;
        this.number = number;
        this.primary = primary;
    }

    /**
     * Marks the index of this shard as deleted. Returns a shard of a new index with the same documents. Cut-off nodes
     * still know their copies of the old shard.
     */
    Replicated recreated() {
        isGone = true;
        Replicated again = new Replicated(index, number, primary.recreated());
        again.cutOff.putAll(cutOff);
        return again;
    }

    /** Returns whether the index of this shard was deleted. */
    boolean isGone() {
        return isGone;
    }

    /** Makes all searches find no document, as a mapping does in which the path is not indexed. */
    void hide() {
        isHidden = true;
    }

    /** Returns the documents of a copy that searches find. */
    SortedMap<String, Shard.Stored> visible(Shard copy) {
        return isHidden ? Collections.emptySortedMap() : copy.visible();
    }

    String index() {
        return index;
    }

    /** Returns the name of the shard, such as {@code files-1[0]}. */
    String name() {
        return index + "[" + number + "]";
    }

    Shard primary() {
        return primary;
    }

    /**
     * Returns the copy that a client reaches.
     *
     * @param node the number of the client's node; 0 for a node that is not cut off
     */
    Shard metBy(int node) {
        return node == 0 ? primary : cutOff.getOrDefault(node, primary);
    }

    boolean isCutOff(Shard copy) {
        return copy != primary;
    }

    /** Refreshes the primary and the copies on cut-off nodes. */
    void refreshItself() {
        primary.refresh();
        cutOff.values().forEach(Shard::refresh);
    }

    void failOver() {
        primary.failOver();
    }

    /** Cuts off the node of the primary, and makes another copy the primary. */
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
