package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.treerename.store.NoAnswerException;

/** What searches found visible in each shard when it was opened, shard by shard, and not at one instant. */
final class PointInTime {

    /** One shard's part: the copy that it was opened on, in which term. */
    record Part(Replicated shard, Shard copy, long term, SortedMap<String, Shard.Stored> visible) {}

    private final List<Part> parts = new ArrayList<>();

    static Part part(View view, Replicated shard) {
        Shard copy = view.copy(shard);
        return new Part(shard, copy, copy.term(), copy.visible());
    }

    void add(Part part) {
        parts.add(part);
    }

    /** How many shards it has. */
    int shards() {
        return parts.size();
    }

    Replicated shard(int part) {
        return parts.get(part).shard();
    }

    /**
     * What one shard has.
     *
     * @throws NoAnswerException if the node that knew it is not the one that is met
     */
    SortedMap<String, Shard.Stored> visible(View view, int part) {
        Part opened = parts.get(part);
        if (view.copy(opened.shard()) != opened.copy() || opened.copy().term() != opened.term()) {
            throw new NoAnswerException(
                    "404 search_context_missing_exception of " + opened.shard().name(), null);
        }
        return opened.visible();
    }
}
