package org.treerename.tree;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

/** Surveys an {@link InMemoryTreeStore}, with at most {@code page} paths per page. */
public record InMemoryTreeSurvey(InMemoryTreeStore tree, int page) implements TreeSurvey {

    @Override
    public List<At> paths(Namespace namespace, @Nullable String after) {
        TreeMap<String, Long> counts = new TreeMap<>();
        for (Document document : tree.all(namespace)) {
            path(namespace, document).ifPresent(path -> counts.merge(path, 1L, Long::sum));
        }
        Map<String, Long> rest = after == null ? counts : counts.tailMap(after, false);
        return rest.entrySet().stream()
                .limit(page)
                .map(at -> new At(at.getKey(), at.getValue()))
                .toList();
    }

    private static Optional<String> path(Namespace namespace, Document document) {
        return PathFields.path(namespace, document.source());
    }

    @Override
    public Set<String> directories(Namespace namespace, Set<String> paths) {
        return tree.all(namespace).stream()
                .filter(document -> namespace
                        .directoryDocuments()
                        .flatMap(d ->
                                PathFields.text(document.source(), d.field()).filter(d.value()::equals))
                        .isPresent())
                .flatMap(document -> path(namespace, document).stream())
                .filter(paths::contains)
                .collect(Collectors.toSet());
    }

    @Override
    public Pathless pathless(Namespace namespace) {
        List<String> ids = tree.all(namespace).stream()
                .filter(document -> path(namespace, document).isEmpty())
                .map(document -> document.ref().id())
                .toList();
        return new Pathless(ids.size(), ids.subList(0, Math.min(3, ids.size())));
    }

    @Override
    public Scan pathFields(Namespace namespace) {
        return tree.scan(namespace, namespace.notation().root(), Reach.AT_OR_BELOW);
    }

    @Override
    public Map<String, Long> documents(Namespace namespace, TreePath path) {
        return tree.all(namespace).stream()
                .filter(document -> path(namespace, document)
                        .filter(at -> at.equals(path.text()) || at.startsWith(path.prefixOfBelow()))
                        .isPresent())
                .collect(Collectors.groupingBy(document -> document.ref().index(), Collectors.counting()));
    }
}
