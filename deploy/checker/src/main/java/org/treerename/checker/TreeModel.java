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
 * The oracle: a tree in memory, and what a rename of it must do. Written from the rules as the users are told them, not from
 * the code that is checked. A rename re-hangs one node, so its cost does not depend on how much stands below it (but for
 * the lengths of the new paths, where they grow). One thread calls it.
 */
public final class TreeModel {

    /** What a rename came to. */
    public sealed interface Applied {

        /** Done; {@code documents} stand elsewhere now. */
        record Renamed(long documents) implements Applied {}

        /** Not done; nothing changed. */
        record Rejected(Rejection rejection) implements Applied {}
    }

    /** What takes one rename back; none of its nodes where it changed nothing. */
    private record Step(
            TreePath source, TreePath destination, @Nullable Node replaced) {}

    /** The text of some directory below the root, whatever the notation. */
    private static final String DIRECTORY = "a";

    private final Notation notation;
    private final boolean directoriesAreDocuments;
    private final Node root = new Node(null);
    private final Deque<Step> steps = new ArrayDeque<>();

    /**
     * An empty tree, whose paths are written with slashes.
     *
     * @param directoriesAreDocuments whether a directory is a document of its own, or exists where something stands below it
     */
    public TreeModel(boolean directoriesAreDocuments) {
        this(Notation.SLASHES, directoriesAreDocuments);
    }

    /** An empty tree. */
    TreeModel(Notation notation, boolean directoriesAreDocuments) {
        this.notation = notation;
        this.directoriesAreDocuments = directoriesAreDocuments;
    }

    /**
     * The tree that a dump shows.
     *
     * @throws IllegalArgumentException if two documents stand at one path, or one at none
     */
    public static TreeModel of(TreeDump dump) {
        TreeModel model =
                new TreeModel(dump.namespace().notation(), dump.namespace().directoriesAreDocuments());
        for (TreeDump.Standing standing : dump.standing()) {
            String path = standing.path();
            if (path == null) {
                throw new IllegalArgumentException(
                        "the document " + standing.document().id() + " has no path");
            }
            model.add(path, standing.document());
        }
        return model;
    }

    /**
     * Puts a document there, at whatever path.
     *
     * @throws IllegalArgumentException if one stands there
     */
    public void add(String path, TreeDocument document) {
        notation.problem(path).ifPresent(problem -> {
            throw new IllegalArgumentException("the document " + document.id() + " stands at no path: " + problem);
        });
        TreePath at = notation.path(path);
        if (at.isRoot()) {
            throw new IllegalArgumentException("the document " + document.id() + " stands at the root");
        }
        Node above = directory(at.parent());
        Node there = above.child(at.name());
        if (there == null) {
            above.hang(at.name(), new Node(document));
        } else if (there.document() == null) {
            above.putDocument(there, document);
        } else {
            throw new IllegalArgumentException(
                    "two documents stand at " + path + ": " + there.document().id() + " and " + document.id());
        }
    }

    /** Renames, or says why not; where several reasons hold, the first in {@link Rejection}'s order. */
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

    /** Renames where others have hidden from the model what made it possible; what stands at the destination goes. */
    void carry(TreePath source, TreePath destination) {
        Node moving = existing(source);
        Node replaced = find(destination);
        if (replaced != null) {
            unhang(replaced);
        }
        move(moving, destination);
        steps.push(new Step(source, destination, replaced));
    }

    /** Removes the document at a path, if there is one and nothing is below it. */
    void remove(TreePath path) {
        Node there = find(path);
        if (there != null && !there.hasChildren()) {
            unhang(there);
        }
    }

    /** Takes back the last rename that was applied and not taken back. */
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
        if (to.properAncestors().stream().map(this::find).anyMatch(node -> node != null && !isDirectory(node))) {
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

    /** A node, and how long its path becomes. */
    private record Measured(Node node, int points, int segments) {}

    /** Paths are up to a thousand segments deep, which is too deep for a recursion. */
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

    /** By how many code points a path is longer that has one name more; the root's is not longer by a separator. */
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
            throw new IllegalStateException("nothing stands at " + path);
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

    /** The node of a directory, made where there is none. */
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

    /** Takes a node out, and the directories above it that exist by nothing else. */
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

    /** The document at a path; empty if there is none. */
    public Optional<TreeDocument> at(String path) {
        return notation.problem(path).isPresent()
                ? Optional.empty()
                : Optional.ofNullable(find(notation.path(path))).map(Node::document);
    }

    /** How many documents stand at a path and below it. */
    public long documentsAtOrBelow(String path) {
        Node node = find(notation.path(path));
        return node == null ? 0 : node.documents();
    }

    /** Equal for equal trees; not equal for two others, by all odds. The contents of documents have no part in it. */
    long fingerprint() {
        return root.fingerprint();
    }

    /** Every path at which a document stands, and the document. */
    public void forEach(BiConsumer<String, TreeDocument> consumer) {
        forEach(notation.root().text(), root, consumer);
    }

    /** Every path at or below one at which a document stands, and the document. */
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
