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
 * A tree in memory that defines the effect of a rename. It is written from the rules in the users' documentation, not
 * from the code under test. A rename moves one node, so its cost does not depend on the number of documents below the
 * node. Exception: a rename that makes paths longer must check the length of each new path. One thread calls it.
 */
public final class TreeModel {

    /** The result of a rename. */
    public sealed interface Applied {

        /** The rename was applied and moved this number of documents. */
        record Renamed(long documents) implements Applied {}

        /** The rename was rejected, and nothing changed. */
        record Rejected(Rejection rejection) implements Applied {}
    }

    /** The data to undo one rename. {@code replaced} is null if the rename replaced no node. */
    private record Step(
            TreePath source, TreePath destination, @Nullable Node replaced) {}

    /** The path of a directory below the root, for length comparisons. It is valid in every notation. */
    private static final String DIRECTORY = "a";

    private final Notation notation;
    private final boolean directoriesAreDocuments;
    private final Node root = new Node(null);
    private final Deque<Step> steps = new ArrayDeque<>();

    /**
     * Creates an empty tree whose paths are written with slashes.
     *
     * @param directoriesAreDocuments whether each directory is a document; otherwise a directory exists if a document
     *     is below it
     */
    public TreeModel(boolean directoriesAreDocuments) {
        this(Notation.SLASHES, directoriesAreDocuments);
    }

    /** Creates an empty tree. */
    TreeModel(Notation notation, boolean directoriesAreDocuments) {
        this.notation = notation;
        this.directoriesAreDocuments = directoriesAreDocuments;
    }

    /**
     * Creates the tree of a dump.
     *
     * @throws IllegalArgumentException if two documents have the same path, or a document has no path
     */
    public static TreeModel of(TreeDump dump) {
        TreeModel model =
                new TreeModel(dump.namespace().notation(), dump.namespace().directoriesAreDocuments());
        for (TreeDump.Standing standing : dump.standing()) {
            String path = standing.path();
            if (path == null) {
                throw new IllegalArgumentException(
                        "expected a path in the document " + standing.document().id() + ", found none");
            }
            model.add(path, standing.document());
        }
        return model;
    }

    /**
     * Adds a document at a path.
     *
     * @throws IllegalArgumentException if the path is not valid, or already has a document
     */
    public void add(String path, TreeDocument document) {
        notation.problem(path).ifPresent(problem -> {
            throw new IllegalArgumentException("the document " + document.id() + " has no valid path: " + problem);
        });
        TreePath at = notation.path(path);
        if (at.isRoot()) {
            throw new IllegalArgumentException("the document " + document.id() + " must not be at the root");
        }
        Node above = directory(at.parent());
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

    /** Applies a rename, or returns the reason for its rejection. If several reasons apply, it returns the first in {@link Rejection}'s order. */
    public Applied apply(String source, String destination, boolean replace) {
        if (notation.problem(source).isPresent()
                || notation.problem(destination).isPresent()) {
            return new Applied.Rejected(Rejection.INVALID_PATH);
        }
        TreePath from = notation.path(source);
        TreePath to = notation.path(destination);
        Optional<Rejection> rejection = rejection(from, to, replace);
        if (rejection.isPresent()) {
            return new Applied.Rejected(rejection.get());
        }
        if (from.equals(to)) {
            steps.push(new Step(from, to, null));
            return new Applied.Renamed(0);
        }
        Node moving = existing(from);
        Node replaced = find(to);
        if (replaced != null) {
            unhang(replaced);
        }
        move(moving, to);
        steps.push(new Step(from, to, replaced));
        return new Applied.Renamed(moving.documents());
    }

    /**
     * Applies a rename without checks. Documents of external writers, which the model does not have, made the rename
     * possible. Removes the node at the destination.
     */
    void carry(TreePath source, TreePath destination) {
        Node moving = existing(source);
        Node replaced = find(destination);
        if (replaced != null) {
            unhang(replaced);
        }
        move(moving, destination);
        steps.push(new Step(source, destination, replaced));
    }

    /** Removes the node at a path, if the node exists and no document is below it. */
    void remove(TreePath path) {
        Node there = find(path);
        if (there != null && !there.hasChildren()) {
            unhang(there);
        }
    }

    /** Undoes the last rename. Repeated calls undo the earlier renames. */
    public void undo() {
        Step last = steps.pop();
        if (last.source().equals(last.destination())) {
            return;
        }
        move(existing(last.destination()), last.source());
        if (last.replaced() != null) {
            hang(last.replaced(), last.destination());
        }
    }

    private Optional<Rejection> rejection(TreePath from, TreePath to, boolean replace) {
        Node moving = find(from);
        if (from.isRoot() || (moving != null && breaksLimit(moving, from, to))) {
            return Optional.of(Rejection.INVALID_PATH);
        }
        if (to.isBelow(from)) {
            return Optional.of(Rejection.INTO_ITSELF);
        }
        if (moving == null) {
            return Optional.of(Rejection.SOURCE_NOT_FOUND);
        }
        if (from.equals(to)) {
            return Optional.empty();
        }
        if (directoriesAreDocuments
                && to.properAncestors().stream().map(this::find).anyMatch(TreeModel::isFile)) {
            return Optional.of(Rejection.ANCESTOR_IS_A_FILE);
        }
        if (directoriesAreDocuments && !to.parent().isRoot() && !isDirectoryDocument(find(to.parent()))) {
            return Optional.of(Rejection.DESTINATION_PARENT_NOT_FOUND);
        }
        Node there = find(to);
        return there == null ? Optional.empty() : overExisting(moving, there, replace && !to.isRoot());
    }

    private Optional<Rejection> overExisting(Node moving, Node there, boolean replace) {
        if (!replace) {
            return Optional.of(Rejection.DESTINATION_EXISTS);
        }
        if (isDirectory(there) && !isDirectory(moving)) {
            return Optional.of(Rejection.IS_A_DIRECTORY);
        }
        if (isDirectory(moving) && !isDirectory(there)) {
            return Optional.of(Rejection.NOT_A_DIRECTORY);
        }
        return there.hasChildren() ? Optional.of(Rejection.DESTINATION_NOT_EMPTY) : Optional.empty();
    }

    private boolean breaksLimit(Node moving, TreePath from, TreePath to) {
        int segments = to.segments().size() - from.segments().size();
        int points = points(to.text()) - points(from.text());
        return (segments > 0 || points > 0)
                && breaksLimit(moving, points(to.text()), to.segments().size());
    }

    /** A node and the length of its new path, in code points and in segments. */
    private record Measured(Node node, int points, int segments) {}

    /**
     * Returns whether a path becomes too long. Uses a stack instead of recursion, because a path may have a thousand
     * segments.
     */
    private boolean breaksLimit(Node moving, int points, int segments) {
        Deque<Measured> left = new ArrayDeque<>();
        left.push(new Measured(moving, points, segments));
        while (!left.isEmpty()) {
            Measured next = left.pop();
            if (next.points() > TreePath.MAX_CODE_POINTS || next.segments() > TreePath.MAX_SEGMENTS) {
                return true;
            }
            next.node()
                    .children()
                    .forEach((name, child) ->
                            left.push(new Measured(child, next.points() + added(name), next.segments() + 1)));
        }
        return false;
    }

    /**
     * Returns the number of code points that a name and its separator add to the path of a directory. The directory
     * must not be the root, whose path already contains the separator.
     */
    private int added(String name) {
        return points(notation.childOf(DIRECTORY, name)) - points(DIRECTORY);
    }

    private static int points(String text) {
        return text.codePointCount(0, text.length());
    }

    private boolean isDirectory(Node node) {
        TreeDocument document = node.document();
        return (directoriesAreDocuments && document != null) ? document.directory() : node.hasChildren();
    }

    private static boolean isFile(@Nullable Node node) {
        TreeDocument document = node == null ? null : node.document();
        return document != null && !document.directory();
    }

    private static boolean isDirectoryDocument(@Nullable Node node) {
        TreeDocument document = node == null ? null : node.document();
        return document != null && document.directory();
    }

    private @Nullable Node find(TreePath path) {
        Node node = root;
        for (String segment : path.segments()) {
            node = node.child(segment);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    private Node existing(TreePath path) {
        Node node = find(path);
        if (node == null) {
            throw new IllegalStateException("expected a document at or below " + path + ", found none");
        }
        return node;
    }

    private void move(Node node, TreePath to) {
        unhang(node);
        hang(node, to);
    }

    private void hang(Node node, TreePath at) {
        directory(at.parent()).hang(at.name(), node);
    }

    /** Returns the node of a directory. Creates it if it does not exist. */
    private Node directory(TreePath path) {
        Node node = root;
        for (String segment : path.segments()) {
            Node child = node.child(segment);
            if (child == null) {
                child = new Node(null);
                node.hang(segment, child);
            }
            node = child;
        }
        return node;
    }

    /** Removes a node, and the directories above that existed only because of this node. */
    private void unhang(Node node) {
        Node above = node.parent();
        if (above == null) {
            return;
        }
        above.unhang(node);
        if (above.document() == null && !above.hasChildren()) {
            unhang(above);
        }
    }

    public long documents() {
        return root.documents();
    }

    /** Returns the document at a path; empty if there is none. */
    public Optional<TreeDocument> at(String path) {
        return notation.problem(path).isPresent()
                ? Optional.empty()
                : Optional.ofNullable(find(notation.path(path))).map(Node::document);
    }

    /** Returns the number of documents at and below a path. */
    public long documentsAtOrBelow(String path) {
        Node node = find(notation.path(path));
        return node == null ? 0 : node.documents();
    }

    /**
     * Returns a hash of the tree. Equal trees have the same fingerprint. Different trees have different fingerprints, with very
     * high probability. The contents of documents are not part of it.
     */
    long fingerprint() {
        return root.fingerprint();
    }

    /** Calls the consumer with the path and the document, for every document. */
    public void forEach(BiConsumer<String, TreeDocument> consumer) {
        forEach(notation.root().text(), root, consumer);
    }

    /** Calls the consumer with the path and the document, for every document at or below a path. */
    void forEachAtOrBelow(TreePath path, BiConsumer<String, TreeDocument> consumer) {
        Node node = find(path);
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
