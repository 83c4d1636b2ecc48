package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.Nullable;
import org.treerename.tree.RawJson;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStoreContract;

class SimulatedTreeStoreTest extends TreeStoreContract {

    private static final int SHARDS = 3;

    private final Cluster cluster = new Cluster();
    private final SimulatedTreeStore tree = new SimulatedTreeStore(Wire.direct(cluster), cluster, PAGE);

    @Override
    protected TreeStore tree() {
        return tree;
    }

    @Override
    protected void createIndex(String name) {
        cluster.indices().create(name, SHARDS);
    }

    @Override
    protected void alias(String alias, String... indices) {
        cluster.indices().alias(alias, indices);
    }

    @Override
    protected void put(String into, String id, @Nullable String routing, String source) {
        tree.put(into, id, new TreeDocument(RawJson.of(source), routing));
    }

    @Override
    protected void put(String into, String id, String source, long version) {
        tree.put(into, id, new TreeDocument(RawJson.of(source), null), version);
    }

    @Override
    protected String source(String from, String id, @Nullable String routing) {
        return cluster.trees().stream()
                .filter(existing ->
                        existing.index().equals(from) && existing.id().equals(id))
                .findAny()
                .orElseThrow()
                .document()
                .source()
                .toString();
    }
}
