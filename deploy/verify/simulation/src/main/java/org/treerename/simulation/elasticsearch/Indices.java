package org.treerename.simulation.elasticsearch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The indices of the trees, with their shards and their aliases. */
public final class Indices {

    private final SortedMap<String, List<Replicated>> shards = new TreeMap<>();
    private final SortedMap<String, String> uuids = new TreeMap<>();
    private final SortedMap<String, NavigableSet<String>> aliases = new TreeMap<>();
    private final NavigableSet<String> blocked = new TreeSet<>();
    private final NavigableSet<String> early = new TreeSet<>();
    private final NavigableSet<String> unfit = new TreeSet<>();

    /** What each node with an old cluster state knows, by the number of the node. All other nodes know what is true. */
    private final SortedMap<Integer, Known> old = new TreeMap<>();

    private int lastUuid;

    /** The indices and aliases that a node knows. */
    private record Known(SortedMap<String, String> uuids, SortedMap<String, NavigableSet<String>> aliases) {

        Set<String> concrete(String index) {
            Set<String> itself = uuids.containsKey(index) ? Set.of(index) : Set.of();
            return aliases.containsKey(index) ? aliases.get(index) : itself;
        }

        SortedMap<String, String> behind(String index) {
            SortedMap<String, String> behind = new TreeMap<>(uuids);
            behind.keySet().retainAll(concrete(index));
            return behind;
        }
    }

    Indices() {}

    public void create(String index, int count) {
        nextUuid(index);
        shards.put(
                index,
                IntStream.range(0, count)
                        .mapToObj(i -> new Replicated(index, i))
                        .toList());
    }

    /**
     * Deletes an index and creates it again with the same documents. Each document receives a version that the document
     * never had.
     */
    public void makeAgain(String index) {
        nextUuid(index);
        unfit.remove(index);
        shards.computeIfPresent(
                index, (name, old) -> old.stream().map(Replicated::recreated).toList());
    }

    /** As {@link #makeAgain}, but with a mapping that hides the documents from all searches. */
    public void makeUnfit(String index) {
        makeAgain(index);
        unfit.add(index);
        shards(index).forEach(Replicated::hide);
    }

    /** Returns whether the mapping of one of these indices hides documents from searches. */
    public boolean isUnfit(Collection<String> of) {
        return of.stream().anyMatch(unfit::contains);
    }

    private void nextUuid(String index) {
        lastUuid++;
        uuids.put(index, index + "-uuid-" + lastUuid);
    }

    /** Returns whether an index still has this uuid. */
    public boolean isStill(String index, String uuid) {
        return uuid.equals(uuids.get(index));
    }

    /** Makes a node keep its cluster state until {@link #learn}. The node learns of no later change. */
    public void becomeOld(int node) {
        old.put(node, new Known(new TreeMap<>(uuids), new TreeMap<>(aliases)));
    }

    /** Makes a node know the current indices and aliases. */
    public void learn(int node) {
        old.remove(node);
    }

    void learnAll() {
        old.clear();
    }

    /** Returns the numbers of the nodes that do not know all changes of the indices and aliases. */
    public List<Integer> oldNodes() {
        return old.entrySet().stream()
                .filter(node -> !node.getValue().equals(current()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the uuid of each concrete index behind an index or alias, as a node knows them. */
    SortedMap<String, String> behind(String index, int node) {
        return old.getOrDefault(node, current()).behind(index);
    }

    /** Returns whether a node knows the current indices behind an index or alias. */
    boolean isCurrent(String index, int node) {
        return behind(index, node).equals(current().behind(index));
    }

    private Known current() {
        return new Known(uuids, aliases);
    }

    public void alias(String alias, String... of) {
        aliases.put(alias, new TreeSet<>(List.of(of)));
    }

    /** Removes an index from an alias. */
    public void remove(String index, String alias) {
        NavigableSet<String> rest = new TreeSet<>(concrete(alias));
        rest.remove(index);
        alias(alias, rest.toArray(String[]::new));
    }

    /** Returns the concrete indices behind an index or alias. */
    Set<String> concrete(String index) {
        return current().concrete(index);
    }

    /** Sets whether an index rejects writes. */
    public void block(String index, boolean isBlocked) {
        if (isBlocked) {
            blocked.add(index);
        } else {
            blocked.remove(index);
        }
    }

    /** Sets whether an index acknowledges writes before they are on disk ({@code index.translog.durability: async}). */
    public void acknowledgeEarly(String index, boolean isEarly) {
        if (isEarly) {
            early.add(index);
        } else {
            early.remove(index);
        }
        shards(index).forEach(shard -> shard.primary().acknowledgeEarly(isEarly));
    }

    /** Returns whether one of these indices acknowledges writes before they are on disk. */
    public boolean acknowledgeEarly(Collection<String> of) {
        return of.stream().anyMatch(early::contains);
    }

    /**
     * Crashes the nodes of an index. Of the writes that are not on disk, those for which the predicate returns true are
     * forgotten. Its arguments are the document on disk, and the document after all writes.
     *
     * @return the ids of the documents whose writes were forgotten
     */
    public List<String> crash(String index, BiPredicate<TreeDocument, TreeDocument> isForgotten) {
        return shards(index).stream()
                .flatMap(shard -> shard
                        .primary()
                        .crash((before, after) -> isForgotten.test((TreeDocument) before, (TreeDocument) after))
                        .stream())
                .toList();
    }

    boolean isBlocked(String index) {
        return blocked.contains(index);
    }

    /** Returns the shards of all indices, in the order of the names of the indices. */
    List<Replicated> shards() {
        return shards.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the shards of all indices behind an index or alias. */
    List<Replicated> shards(String index) {
        return shards(concrete(index));
    }

    /** Returns the shards of these indices. */
    List<Replicated> shards(Set<String> indices) {
        return indices.stream()
                .sorted()
                .flatMap(concrete -> shards.getOrDefault(concrete, List.of()).stream())
                .toList();
    }

    /** Returns the shard of a document; empty if the index does not exist. */
    Optional<Replicated> shard(String index, String id, @Nullable String routing) {
        List<Replicated> all = shards.get(index);
        String key = routing == null ? id : routing;
        return all == null ? Optional.empty() : Optional.of(all.get(Math.floorMod(key.hashCode(), all.size())));
    }
}
