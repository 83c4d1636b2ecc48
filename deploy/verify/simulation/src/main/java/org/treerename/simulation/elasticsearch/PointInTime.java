package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import org.treerename.store.NoAnswerException;

/**
 * A point in time: the documents that searches could see when the point in time was opened. The shards are opened one
 * after the other, not at one instant.
 */
final class PointInTime {

    /**
     * The data of one shard in the point in time: the opened copy, the primary term at the opening, and the visible
     * documents.
     */
    record Part(Replicated shard, Shard copy, long term, SortedMap<String, Shard.Stored> visible) {}

    private final Wire wire;
    private final Cluster cluster;
    private final String what;
    private final long id;
    private final List<Part> parts;
    private boolean isClosed;

    private PointInTime(Wire wire, Cluster cluster, String what, long id, List<Part> parts) {
        this.wire = wire;
        this.cluster = cluster;
        this.what = what;
        this.id = id;
        this.parts = parts;
    }

    /**
     * Opens a point in time for all shards of an index or alias.
     *
     * @param what the text that describes the documents of the point in time in the history
     */
    static PointInTime open(Wire wire, Cluster cluster, String index, String what) {
        return ask(
                wire,
                cluster.indices().shards(index),
                "opens a point in time of " + what,
                parts -> new PointInTime(wire, cluster, what, cluster.openPit(), parts));
    }

    /** Searches without a point in time, and returns the visible documents of each shard. */
    static List<Part> search(Wire wire, Cluster cluster, String index, String what) {
        return ask(wire, cluster.indices().shards(index), "searches " + what, parts -> parts);
    }

    private static <T> T ask(Wire wire, List<Replicated> shards, String words, Function<List<Part>, T> answer) {
        List<Request.Item> items = new ArrayList<>();
        for (Replicated shard : shards) {
            items.add(view -> part(view, shard));
        }
        return wire.ask(new Request<>(
                () -> words,
                items,
                found -> answer.apply(found.stream()
                        .map(part -> (Part) Objects.requireNonNull(part))
                        .toList()),
                true));
    }

    private static Part part(View view, Replicated shard) {
        Shard copy = view.copy(shard);
        return new Part(shard, copy, copy.term(), shard.visible(copy));
    }

    long id() {
        return id;
    }

    /** Returns the number of shards of the point in time. */
    int shards() {
        return parts.size();
    }

    Replicated shard(int part) {
        return parts.get(part).shard();
    }

    /**
     * Returns the visible documents of one shard.
     *
     * @throws NoAnswerException if the point in time has expired, or if the request reaches a copy that does not have
     *     the point in time
     */
    SortedMap<String, Shard.Stored> visible(View view, int part) {
        if (cluster.isExpired(id)) {
            throw new NoAnswerException("404 search_context_missing_exception of all shards", null);
        }
        Part opened = parts.get(part);
        if (view.copy(opened.shard()) != opened.copy() || opened.copy().term() != opened.term()) {
            throw new NoAnswerException(
                    "404 search_context_missing_exception of " + opened.shard().name(), null);
        }
        return opened.visible();
    }

    /**
     * Closes the point in time. Ignores a missing answer, because Elasticsearch deletes the point in time after the
     * keep-alive.
     */
    void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            wire.ask(Request.of(() -> "closes the point in time of " + what, view -> {
                cluster.closePit(id);
                return true;
            }));
        } catch (NoAnswerException e) {
            cluster.closePit(id);
        }
    }
}
