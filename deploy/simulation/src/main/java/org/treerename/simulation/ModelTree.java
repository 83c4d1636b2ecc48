package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.path.TreePath;
import org.treerename.rename.Document;
import org.treerename.rename.OnExisting;
import org.treerename.rename.Reason;
import org.treerename.rename.Rename;

/**
 * A model of the tree. It contains the documents at the paths that the decisions so far give them. Each decision takes effect
 * at one instant. The model is written from the rules in the users' documentation. It does not contain the documents of
 * outside writers.
 */
final class ModelTree {

    /** One document. */
    record Node(String path, boolean directory) {}

    /** The correct result of a rename: it is committed, or it is rejected for a reason. */
    sealed interface Judgement {
        record Go() implements Judgement {}

        record No(Reason reason) implements Judgement {}
    }

    private final SortedMap<String, Node> nodes = new TreeMap<>();

    /** The paths after each change. Views are compared with them. */
    private final List<SortedMap<String, String>> moments = new ArrayList<>();

    /** The moment at which each document was added. */
    private final Map<String, Integer> since = new HashMap<>();

    /** Documents that a rename has left at its source. Views show them at the destination until the rename ends. */
    private final Set<String> left = new HashSet<>();

    void add(String id, String path, boolean directory) {
        nodes.put(id, new Node(path, directory));
        changed();
        since.putIfAbsent(id, moment());
    }

    /** Puts a document back at the path where a rename has left it, because another system has made it newer. */
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

    /** The moments from one to another, both included. */
    record Interval(int from, int until) {}

    /**
     * Returns whether the tree was as a view shows it, at any moment while the view was opened.
     *
     * @param shown the paths of documents at and below a path, by id
     * @param isRefreshed whether the view must show the documents that writers had created before the opening
     */
    boolean isShownBy(TreePath path, Map<String, String> shown, Interval opening, boolean isRefreshed) {
        return moments(opening)
                .anyMatch(moment -> isShownAt(moment, path, shown, id -> isCertain(id, opening, isRefreshed)));
    }

    /**
     * Returns whether the tree had this number of documents at and below a path, at any moment of the interval. Documents that
     * renames have left at a source may be counted or not.
     */
    boolean isCountedBy(TreePath path, long count, Interval opening, boolean isRefreshed) {
        return moments(opening).anyMatch(moment -> {
            List<String> there = moment.entrySet().stream()
                    .filter(document -> new TreePath(document.getValue()).isAtOrBelow(path))
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

    /** Returns whether a view must show a document. */
    private boolean isCertain(String id, Interval opening, boolean isRefreshed) {
        return !id.startsWith(Witness.HELD) || (isRefreshed && since.getOrDefault(id, 0) <= opening.from());
    }

    /**
     * @param isCertain the function that returns whether the view must show a document, by its id
     */
    private boolean isShownAt(
            Map<String, String> moment, TreePath path, Map<String, String> shown, Predicate<String> isCertain) {
        Map<String, String> expected = new HashMap<>();
        moment.forEach((id, text) -> {
            if (new TreePath(text).isAtOrBelow(path) && (isCertain.test(id) || shown.containsKey(id))) {
                expected.put(id, text);
            }
        });
        Map<String, String> found = new HashMap<>(shown);
        expected.keySet().removeAll(left);
        found.keySet().removeAll(left);
        return expected.equals(found);
    }

    /** Returns the path of each document, by its id. */
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
            if (new TreePath(path).isAtOrBelow(rename.source())) {
                node.setValue(new Node(rename.newPath(path), node.getValue().directory()));
            }
        }
        changed();
    }

    /**
     * Returns the correct results for a rename. There may be several, because outside writers create and delete documents while a
     * worker searches the tree, and between the search and the decision. The results are calculated without the documents of
     * outside writers, with those of each time so far, and with all documents that they ever had.
     */
    Set<Judgement> judgements(Rename rename, Set<Set<String>> outsideSoFar) {
        Set<Judgement> right = new HashSet<>();
        right.add(new Looking(rename, Set.of()).judge());
        Set<String> ever = new HashSet<>();
        for (Set<String> outside : outsideSoFar) {
            right.add(new Looking(rename, outside).judge());
            ever.addAll(outside);
        }
        right.add(new Looking(rename, ever).judge());
        String sourceId = rename.sourceId();
        if (sourceId != null && sourceId.startsWith(Witness.OUTSIDE)) {
            // this model does not know which document of an outside writer was at which path
            right.add(new Judgement.No(Reason.SOURCE_NOT_FOUND));
        }
        return right;
    }

    /** Returns whether another document than the document that the request names is at the source. */
    boolean standsAnother(Rename rename) {
        return rename.sourceId() != null
                && nodes.entrySet().stream()
                        .anyMatch(node ->
                                node.getValue().path().equals(rename.source().text())
                                        && !node.getKey().equals(rename.sourceId()));
    }

    /** The checks of one rename against the model and some paths of outside writers. */
    private final class Looking {
        private final Rename rename;
        private final Set<String> outside;

        Looking(Rename rename, Set<String> outside) {
            this.rename = rename;
            this.outside = outside;
        }

        private Judgement judge() {
            TreePath source = rename.source();
            TreePath destination = rename.destination();
            if (destination.isBelow(source)) {
                return new Judgement.No(Reason.INTO_ITSELF);
            }
            if (!exists(source) || isAnother(source)) {
                return new Judgement.No(Reason.SOURCE_NOT_FOUND);
            }
            if (source.equals(destination)) {
                return new Judgement.Go();
            }
            if (destination.properAncestors().stream().anyMatch(path -> stands(path) && !isDirectory(path))) {
                return new Judgement.No(Reason.ANCESTOR_IS_A_FILE);
            }
            if (!destination.parent().isRoot()
                    && !(stands(destination.parent()) && isDirectory(destination.parent()))) {
                return new Judgement.No(Reason.DESTINATION_PARENT_NOT_FOUND);
            }
            return exists(destination) ? over() : new Judgement.Go();
        }

        /** Returns whether the request names a document that is not the only document at the source. */
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

        private Judgement over() {
            TreePath destination = rename.destination();
            if (rename.onExisting() == OnExisting.FAIL || destination.isRoot()) {
                return new Judgement.No(Reason.DESTINATION_EXISTS);
            }
            if (!isDirectory(rename.source()) && isDirectory(destination)) {
                return new Judgement.No(Reason.IS_A_DIRECTORY);
            }
            if (isDirectory(rename.source()) && !isDirectory(destination)) {
                return new Judgement.No(Reason.NOT_A_DIRECTORY);
            }
            return isFilled(destination) ? new Judgement.No(Reason.DESTINATION_NOT_EMPTY) : new Judgement.Go();
        }

        private boolean exists(TreePath path) {
            return path.isRoot() || stands(path) || isFilled(path);
        }

        private boolean stands(TreePath path) {
            return outside.contains(path.text())
                    || nodes.values().stream().anyMatch(node -> node.path().equals(path.text()));
        }

        private boolean isFilled(TreePath path) {
            return outside.stream().anyMatch(text -> text.startsWith(path.prefixOfBelow()))
                    || nodes.values().stream().anyMatch(node -> node.path().startsWith(path.prefixOfBelow()));
        }

        private boolean isDirectory(TreePath path) {
            return stands(path)
                    ? nodes.values().stream()
                            .anyMatch(node -> node.directory() && node.path().equals(path.text()))
                    : isFilled(path);
        }
    }
}
