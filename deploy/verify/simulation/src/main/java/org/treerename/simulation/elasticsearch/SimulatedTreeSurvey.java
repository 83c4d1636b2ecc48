package org.treerename.simulation.elasticsearch;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeSurvey;

/** Reads the current documents of a simulated tree for the audit. */
public final class SimulatedTreeSurvey implements TreeSurvey {

    private final Cluster cluster;

    public SimulatedTreeSurvey(Cluster cluster) {
        this.cluster = cluster;
    }

    private Stream<Cluster.StoredDocument> stored(Namespace namespace) {
        return cluster.trees(cluster.indices().concrete(namespace.index())).stream();
    }

    private static String path(Namespace namespace, Cluster.StoredDocument stored) {
        return String.valueOf(stored.document().text(namespace.pathField()));
    }

    @Override
    public List<At> paths(Namespace namespace, @Nullable String after) {
        if (after != null) {
            return List.of();
        }
        return stored(namespace)
                .filter(found -> found.document().text(namespace.pathField()) != null)
                .collect(Collectors.groupingBy(found -> path(namespace, found), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(e -> new At(e.getKey(), e.getValue()))
                .toList();
    }

    @Override
    public Set<String> directories(Namespace namespace, Set<String> paths) {
        return stored(namespace)
                .filter(found -> "directory".equals(found.document().text("type")))
                .map(found -> path(namespace, found))
                .filter(paths::contains)
                .collect(Collectors.toSet());
    }

    @Override
    public Pathless pathless(Namespace namespace) {
        List<String> ids = stored(namespace)
                .filter(found -> found.document().text(namespace.pathField()) == null)
                .map(Cluster.StoredDocument::id)
                .toList();
        return new Pathless(ids.size(), ids);
    }

    @Override
    public Scan pathFields(Namespace namespace) {
        return new OnePage(stored(namespace)
                .filter(found -> found.document().text(namespace.pathField()) != null)
                .map(found -> new Document(
                        new Document.Ref(
                                found.index(), found.id(), found.document().routing(), found.version()),
                        path(namespace, found),
                        found.document().source()))
                .toList());
    }

    /** A scan with one page, which contains all documents. */
    private static final class OnePage implements Scan {
        private List<Document> left;

        OnePage(List<Document> documents) {
            this.left = documents;
        }

        @Override
        public List<Document> nextPage() {
            List<Document> page = left;
            left = List.of();
            return page;
        }

        @Override
        public void close() {
            left = List.of();
        }
    }

    @Override
    public Map<String, Long> documents(Namespace namespace, TreePath path) {
        return stored(namespace)
                .filter(found -> path(namespace, found).equals(path.text())
                        || path(namespace, found).startsWith(path.prefixOfBelow()))
                .collect(Collectors.groupingBy(Cluster.StoredDocument::index, Collectors.counting()));
    }
}
