package org.treerename.checker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/**
 * A tree in memory, with a method that applies a rename. The class follows the rules in the users' documentation, and
 * was not derived from the code under test. {@link #apply} moves only one node, so the time does not depend on the
 * number of documents below this node. Exception: if a rename makes paths longer, the method checks the length of each
 * new path. Only one thread calls this class.
 */
public final class TreeModel {

    /** The result of {@link #apply}: the rename was applied or rejected. */
    public sealed interface Applied {

        /** The rename was applied and moved this number of documents. */
        record Renamed(long documents) implements Applied {}

        /** The rename was rejected, and nothing changed. */
        record Rejected(Rejection rejection) implements Applied {}
    }

    /** The data to undo one rename. {@code replaced} is null if the rename replaced no node. */
    private record Step(
            TreePath source, TreePath destination, @Nullable Node replaced) {}

    private final Notation notation;
    private final NodeTree nodes = new NodeTree();
    private final RenameRules rules;
    private final Deque<Step> steps = new ArrayDeque<>();

    /**
     * Creates an empty tree whose paths have slashes as separators.
     *
     * @param directoriesAreDocuments whether each directory is a document; if false, a directory exists if a document
     *     is below it
     */
    public TreeModel(boolean directoriesAreDocuments) {
        this(Notation.SLASHES, directoriesAreDocuments);
    }

    /** Creates an empty tree whose paths are written in this notation. */
    TreeModel(Notation notation, boolean directoriesAreDocuments) {
        this.notation = notation;
        this.rules = new RenameRules(notation, directoriesAreDocuments, nodes);
    }

    /**
     * Creates the tree of a dump.
     *
     * @throws IllegalArgumentException if two documents have the same path, or a document has no path
     */
    public static TreeModel of(TreeDump dump) {
        TreeModel model =
                new TreeModel(dump.namespace().notation(), dump.namespace().directoriesAreDocuments());
        for (TreeDump.StoredDocument stored : dump.stored()) {
            String path = stored.path();
            if (path == null) {
                throw new IllegalArgumentException(
                        "expected a path in the document " + stored.document().id() + ", found none");
            }
            model.add(path, stored.document());
        }
        return model;
    }

    /**
     * Adds a document at a path.
     *
     * @throws IllegalArgumentException if the path is not valid, or another document is at the path
     */
    public void add(String path, TreeDocument document) {
        notation.problem(path).ifPresent(problem -> {
            throw new IllegalArgumentException("the document " + document.id() + " has no valid path: " + problem);
        });
        TreePath at = notation.path(path);
        if (at.isRoot()) {
            throw new IllegalArgumentException("the document " + document.id() + " must not be at the root");
        }
        Node above = nodes.directory(at.parent());
        Node there = above.child(at.name());
        if (there == null) {
            above.hang(at.name(), new Node(document));
        } else if (there.document() == null) {
            above.putDocument(there, document);
        } else {
            throw new IllegalArgumentException("expected one document at " + path + ", found "
                    + there.document().id() + " and " + document.id());
        }
    }

    /**
     * Applies a rename if it is possible; otherwise returns the reason for its rejection. If several reasons apply,
     * this method returns the first in {@link Rejection}'s order.
     */
    public Applied apply(String source, String destination, boolean replace) {
        if (notation.problem(source).isPresent()
                || notation.problem(destination).isPresent()) {
            return new Applied.Rejected(Rejection.INVALID_PATH);
        }
        TreePath from = notation.path(source);
        TreePath to = notation.path(destination);
        Optional<Rejection> rejection = rules.rejection(from, to, replace);
        if (rejection.isPresent()) {
            return new Applied.Rejected(rejection.get());
        }
        if (from.equals(to)) {
            steps.push(new Step(from, to, null));
            return new Applied.Renamed(0);
        }
        return new Applied.Renamed(move(from, to));
    }

    /**
     * Applies a rename without checks, and removes the node at the destination. Call this method for a rename that was
     * possible only because of documents of writers without locks. The model does not contain these documents. Returns
     * the number of documents that the rename moved.
     */
    long move(TreePath source, TreePath destination) {
        Node moving = nodes.existing(source);
        Node replaced = nodes.find(destination);
        if (replaced != null) {
            nodes.unhang(replaced);
        }
        nodes.move(moving, destination);
        steps.push(new Step(source, destination, replaced));
        return moving.documents();
    }

    /** Removes the node at a path, if the node exists and no document is below it. */
    void remove(TreePath path) {
        Node there = nodes.find(path);
        if (there != null && !there.hasChildren()) {
            nodes.unhang(there);
        }
    }

    /** Undoes the last rename. Each further call undoes the previous rename. */
    public void undo() {
        Step last = steps.pop();
        if (last.source().equals(last.destination())) {
            return;
        }
        nodes.move(nodes.existing(last.destination()), last.source());
        if (last.replaced() != null) {
            nodes.hang(last.replaced(), last.destination());
        }
    }

    public long documents() {
        return nodes.root().documents();
    }

    /** Returns the document at a path; empty if the path has no document. */
    public Optional<TreeDocument> at(String path) {
        return notation.problem(path).isPresent()
                ? Optional.empty()
                : Optional.ofNullable(nodes.find(notation.path(path))).map(Node::document);
    }

    /** Returns the number of documents at and below a path. */
    public long documentsAtOrBelow(String path) {
        Node node = nodes.find(notation.path(path));
        return node == null ? 0 : node.documents();
    }

    /**
     * Returns a fingerprint of the tree. Equal trees have the same fingerprint. Different trees have different
     * fingerprints, with very high probability. The fingerprint does not depend on the contents of documents.
     */
    long fingerprint() {
        return nodes.root().fingerprint();
    }

    /** Calls the consumer with the path and the document, for every document. */
    public void forEach(BiConsumer<String, TreeDocument> consumer) {
        forEach(notation.root().text(), nodes.root(), consumer);
    }

    /** Calls the consumer with the path and the document, for every document at or below a path. */
    void forEachAtOrBelow(TreePath path, BiConsumer<String, TreeDocument> consumer) {
        Node node = nodes.find(path);
        if (node != null) {
            forEach(path.text(), node, consumer);
        }
    }

    private void forEach(String at, Node from, BiConsumer<String, TreeDocument> consumer) {
        record Place(String path, Node node) {}
        Deque<Place> open = new ArrayDeque<>(List.of(new Place(at, from)));
        while (!open.isEmpty()) {
            Place place = open.pop();
            TreeDocument document = place.node().document();
            if (document != null) {
                consumer.accept(place.path(), document);
            }
            place.node()
                    .children()
                    .forEach((name, child) -> open.push(new Place(notation.childOf(place.path(), name), child)));
        }
    }
}
