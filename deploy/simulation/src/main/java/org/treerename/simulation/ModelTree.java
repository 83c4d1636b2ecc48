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
 * The documents of the tree as the decisions taken so far have placed them, each at one instant: written from the rules as
 * users are told them. What outside writers have put there is not in it.
 */
final class ModelTree {

    /** One document. */
    record Node(String path, boolean directory) {}

    /** What must become of a rename. */
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

    /** Returns whether there were so many documents at and below a path, at any moment. What renames have left at a source may be counted or not. */
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
     * @param isCertain whether the view must show a document, by its id
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

    /** Where each document stands, by its id. */
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
     * What is right: without what outside writers have there, with what they had there at any one time, and with all that
     * they ever had there, for they come and go between the look and the decision, and while somebody looks.
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

    /** Whether another document than the one that the request names is at the source. */
    boolean standsAnother(Rename rename) {
        return rename.sourceId() != null
                && nodes.entrySet().stream()
                        .anyMatch(node ->
                                node.getValue().path().equals(rename.source().text())
                                        && !node.getKey().equals(rename.sourceId()));
    }

    /** One judgement's questions. */
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

        /** Whether the request names a document, and that document is not the only one at the source. */
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
