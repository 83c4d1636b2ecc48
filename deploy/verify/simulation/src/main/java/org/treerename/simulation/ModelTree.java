package org.treerename.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.Reason;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;

/**
 * A model of the tree. The model contains the documents at their paths after all decisions so far. Each decision takes
 * effect at one instant. The model follows the rules in the users' documentation. The model does not contain the
 * documents of outside writers ({@link OutsideWriter}).
 */
final class ModelTree {

    record Node(String path, boolean directory) {}

    /** The correct result of a rename: the rename is committed, or rejected for a reason. */
    sealed interface Expected {
        record Go() implements Expected {}

        record No(Reason reason) implements Expected {}
    }

    private final SortedMap<String, Node> nodes = new TreeMap<>();

    /** The path of each document after each change. Views are compared with these paths. */
    private final List<SortedMap<String, String>> moments = new ArrayList<>();

    /** The number of the change that added each document, by document id. */
    private final Map<String, Integer> since = new HashMap<>();

    /** Documents that a rename did not move. Until the rename ends, views show these documents at the destination. */
    private final Set<String> left = new HashSet<>();

    void add(String id, String path, boolean directory) {
        nodes.put(id, new Node(path, directory));
        changed();
        since.putIfAbsent(id, moment());
    }

    /**
     * Puts a document back at its path. A rename did not move or replace the document, because the version of the
     * document is too new.
     */
    void leave(String id, String path, boolean directory) {
        left.add(id);
        add(id, path, directory);
    }

    private void changed() {
        moments.add(paths());
    }

    /** Returns the number of the last change. */
    int moment() {
        return moments.size() - 1;
    }

    SortedMap<String, String> at(int moment) {
        return moments.get(moment);
    }

    /** The moments from {@code from} to {@code until}, both included. */
    record Interval(int from, int until) {}

    /**
     * Returns whether a view is correct: at one moment of the opening, the tree was as the view shows it.
     *
     * @param shown the paths that the view shows at and below {@code path}, by document id
     * @param isRefreshed whether the view must show the documents that writers created before the opening
     */
    boolean isShownBy(TreePath path, Map<String, String> shown, Interval opening, boolean isRefreshed) {
        return moments(opening)
                .anyMatch(moment -> isShownAt(moment, path, shown, id -> isCertain(id, opening, isRefreshed)));
    }

    /**
     * Returns whether a count is correct: at one moment of the interval, the tree had this number of documents at and
     * below a path. The count may include or exclude the documents that renames did not move.
     */
    boolean isCountedBy(TreePath path, long count, Interval opening, boolean isRefreshed) {
        return moments(opening).anyMatch(moment -> {
            List<String> there = moment.entrySet().stream()
                    .filter(document -> Witness.isAtOrBelow(document.getValue(), path))
                    .map(Map.Entry::getKey)
                    .filter(id -> !left.contains(id))
                    .toList();
            long least = there.stream()
                    .filter(id -> isCertain(id, opening, isRefreshed))
                    .count();
            return least <= count && count <= there.size() + left.size();
        });
    }

    private Stream<SortedMap<String, String>> moments(Interval interval) {
        return moments.subList(interval.from(), interval.until() + 1).stream();
    }

    /**
     * Only a document that a writer created under a lock may be missing, if the view is not refreshed, or if the
     * document was created after the opening had begun.
     */
    private boolean isCertain(String id, Interval opening, boolean isRefreshed) {
        return !id.startsWith(Witness.HELD) || (isRefreshed && since.getOrDefault(id, 0) <= opening.from());
    }

    /** @param isCertain returns whether the view must show the document with an id */
    private boolean isShownAt(
            Map<String, String> moment, TreePath path, Map<String, String> shown, Predicate<String> isCertain) {
        Map<String, String> expected = new HashMap<>();
        moment.forEach((id, text) -> {
            if (Witness.isAtOrBelow(text, path) && (isCertain.test(id) || shown.containsKey(id))) {
                expected.put(id, text);
            }
        });
        Map<String, String> found = new HashMap<>(shown);
        expected.keySet().removeAll(left);
        found.keySet().removeAll(left);
        return expected.equals(found);
    }

    /** Returns the path of each document, by document id. */
    SortedMap<String, String> paths() {
        SortedMap<String, String> paths = new TreeMap<>();
        nodes.forEach((id, node) -> paths.put(id, node.path()));
        return paths;
    }

    void apply(Rename rename, List<Document.Ref> removals) {
        if (rename.changesNothing()) {
            return;
        }
        removals.forEach(removal -> nodes.remove(removal.id()));
        for (Map.Entry<String, Node> node : nodes.entrySet()) {
            String path = node.getValue().path();
            if (Witness.isAtOrBelow(path, rename.source())) {
                node.setValue(new Node(rename.newPath(path), node.getValue().directory()));
            }
        }
        changed();
    }

    /**
     * Returns the correct results for a rename. Several results may be correct, because outside writers create and
     * delete documents during and after the worker's search. The results are calculated for three kinds of trees:
     * <ul>
     *   <li>without the documents of outside writers;
     *   <li>with the documents that outside writers had at each moment so far;
     *   <li>with all documents that outside writers ever had.
     * </ul>
     */
    Set<Expected> expected(Rename rename, Set<Set<String>> outsideSoFar) {
        Set<Expected> right = new HashSet<>();
        PathIndex index = new PathIndex(nodes.values());
        right.add(new Looking(rename, index, Set.of()).check());
        Set<String> ever = new HashSet<>();
        for (Set<String> outside : outsideSoFar) {
            right.add(new Looking(rename, index, outside).check());
            ever.addAll(outside);
        }
        right.add(new Looking(rename, index, ever).check());
        String sourceId = rename.sourceId();
        if (sourceId != null && sourceId.startsWith(Witness.OUTSIDE)) {
            // the model knows the paths of outside writers' documents, but not the id of the document at each path
            right.add(new Expected.No(Reason.SOURCE_NOT_FOUND));
        }
        return right;
    }

    /** Returns whether the request names a document, and a different document is at the source. */
    boolean hasAnotherSource(Rename rename) {
        return rename.sourceId() != null
                && nodes.entrySet().stream()
                        .anyMatch(node ->
                                node.getValue().path().equals(rename.source().text())
                                        && !node.getKey().equals(rename.sourceId()));
    }

    /** The paths of the documents of the model, and the paths of the directories, for fast searches. */
    private static final class PathIndex {
        private final NavigableSet<String> paths = new TreeSet<>();
        private final Set<String> directories = new HashSet<>();

        PathIndex(Collection<Node> nodes) {
            for (Node node : nodes) {
                paths.add(node.path());
                if (node.directory()) {
                    directories.add(node.path());
                }
            }
        }

        boolean isAt(TreePath path) {
            return paths.contains(path.text());
        }

        boolean isBelow(TreePath path) {
            String first = paths.ceiling(path.prefixOfBelow());
            return first != null && first.startsWith(path.prefixOfBelow());
        }

        boolean isDirectoryAt(TreePath path) {
            return directories.contains(path.text());
        }
    }

    /** Calculates the correct result of one rename from the model and some paths of outside writers. */
    private final class Looking {
        private final Rename rename;
        private final PathIndex index;
        private final Set<String> outside;

        Looking(Rename rename, PathIndex index, Set<String> outside) {
            this.rename = rename;
            this.index = index;
            this.outside = outside;
        }

        private Expected check() {
            TreePath source = rename.source();
            TreePath destination = rename.destination();
            if (destination.isBelow(source)) {
                return new Expected.No(Reason.INTO_ITSELF);
            }
            if (!exists(source) || isAnother(source)) {
                return new Expected.No(Reason.SOURCE_NOT_FOUND);
            }
            if (source.equals(destination)) {
                return new Expected.Go();
            }
            if (destination.properAncestors().stream().anyMatch(path -> hasDocumentAt(path) && !isDirectory(path))) {
                return new Expected.No(Reason.ANCESTOR_IS_A_FILE);
            }
            if (!destination.parent().isRoot()
                    && !(hasDocumentAt(destination.parent()) && isDirectory(destination.parent()))) {
                return new Expected.No(Reason.DESTINATION_PARENT_NOT_FOUND);
            }
            return exists(destination) ? over() : new Expected.Go();
        }

        private boolean isAnother(TreePath source) {
            String sourceId = rename.sourceId();
            if (sourceId == null || sourceId.startsWith(Witness.OUTSIDE)) {
                return false;
            }
            Set<String> own = nodes.entrySet().stream()
                    .filter(node -> node.getValue().path().equals(source.text()))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            return outside.contains(source.text()) || !own.equals(Set.of(sourceId));
        }

        private Expected over() {
            TreePath destination = rename.destination();
            if (rename.onExisting() == OnExisting.FAIL || destination.isRoot()) {
                return new Expected.No(Reason.DESTINATION_EXISTS);
            }
            if (!isDirectory(rename.source()) && isDirectory(destination)) {
                return new Expected.No(Reason.IS_A_DIRECTORY);
            }
            if (isDirectory(rename.source()) && !isDirectory(destination)) {
                return new Expected.No(Reason.NOT_A_DIRECTORY);
            }
            return isFilled(destination) ? new Expected.No(Reason.DESTINATION_NOT_EMPTY) : new Expected.Go();
        }

        private boolean exists(TreePath path) {
            return path.isRoot() || hasDocumentAt(path) || isFilled(path);
        }

        private boolean hasDocumentAt(TreePath path) {
            return outside.contains(path.text()) || index.isAt(path);
        }

        private boolean isFilled(TreePath path) {
            return outside.stream().anyMatch(text -> text.startsWith(path.prefixOfBelow())) || index.isBelow(path);
        }

        private boolean isDirectory(TreePath path) {
            return hasDocumentAt(path) ? index.isDirectoryAt(path) : isFilled(path);
        }
    }
}
