package org.treerename.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedTreeStore;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.simulation.schedule.Chance;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * Determines the index and the routing of each document of a tree from the id of the document. A tree has one index, or
 * several indices behind one alias. In some trees, each document has a routing.
 */
record Layout(String alias, List<String> indices, boolean isRouted) {

    private static final double SEVERAL = 0.2;
    private static final double ROUTED = 0.2;
    private static final int ROUTINGS = 5;

    Layout {
        indices = List.copyOf(indices);
    }

    static Layout drawn(String alias, Chance chance) {
        List<String> indices = chance.happens(SEVERAL) ? List.of(alias + "-1", alias + "-2") : List.of(alias);
        return new Layout(alias, indices, chance.happens(ROUTED));
    }

    void create(Cluster cluster, Chance chance) {
        indices.forEach(index -> cluster.indices().create(index, 1 + chance.below(3)));
        if (indices.size() > 1) {
            cluster.indices().alias(alias, indices.toArray(String[]::new));
        }
    }

    private String index(String id) {
        return indices.get(Math.floorMod(id.hashCode(), indices.size()));
    }

    private @Nullable String routing(String id) {
        return isRouted ? "routing-" + Math.floorMod(id.hashCode(), ROUTINGS) : null;
    }

    Document.Ref ref(String id, Version version) {
        return new Document.Ref(index(id), id, routing(id), version);
    }

    TreeDocument document(String id, RawJson source) {
        return new TreeDocument(source, routing(id));
    }

    void put(SimulatedTreeStore tree, String id, TreePath path, String type, int number) {
        put(
                tree,
                id,
                "{\"path\":\"" + path + "\",\"parent\":\"" + path.parent() + "\",\"name\":\"" + path.name()
                        + "\",\"type\":\"" + type + "\",\"text\":\"" + number + "\",\"size\":1.10}");
    }

    void put(SimulatedTreeStore tree, String id, String json) {
        tree.put(index(id), id, document(id, RawJson.of(json)));
    }

    /** Sets whether the indices reject writes. */
    void block(Cluster cluster, boolean isBlocked) {
        indices.forEach(index -> cluster.indices().block(index, isBlocked));
    }
}
