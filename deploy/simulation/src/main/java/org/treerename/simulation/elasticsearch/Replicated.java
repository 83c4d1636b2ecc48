package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.Nullable;

/**
 * One shard with its primary and, while the node that has held it is cut off, that node's copy: it takes reads, which are
 * stale, and writes, which are never acknowledged and gone when the node comes back.
 */
final class Replicated {

    private final String index;
    private final int number;
    private final Shard primary = new Shard();
    private @Nullable Shard cutOff;

    Replicated(String index, int number) {
        this.index = index;
        this.number = number;
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

    /** The copy that a client meets. */
    Shard metBy(boolean isCutOff) {
        return isCutOff && cutOff != null ? cutOff : primary;
    }

    boolean isCutOff(Shard copy) {
        return copy != primary;
    }

    /** Each copy refreshes itself now and then, and asks no other. */
    void refreshItself() {
        primary.refresh();
        if (cutOff != null) {
            cutOff.refresh();
        }
    }

    void failOver() {
        primary.failOver();
    }

    /** The node of the primary is cut off, and another copy becomes the primary. */
    void cutOff() {
        cutOff = primary.copy();
        primary.failOver();
    }

    void heal() {
        cutOff = null;
    }
}
