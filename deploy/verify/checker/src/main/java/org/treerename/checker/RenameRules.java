package org.treerename.checker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/** Decides whether a rename is possible in a tree, by the rules of the users' documentation. */
final class RenameRules {

    /** The path of a directory below the root, to calculate lengths. This path is valid in every notation. */
    private static final String DIRECTORY = "a";

    private final Notation notation;
    private final boolean directoriesAreDocuments;
    private final NodeTree nodes;

    RenameRules(Notation notation, boolean directoriesAreDocuments, NodeTree nodes) {
        this.notation = notation;
        this.directoriesAreDocuments = directoriesAreDocuments;
        this.nodes = nodes;
    }

    /** Returns the reason to reject a rename; empty if the rename is possible. */
    Optional<Rejection> rejection(TreePath from, TreePath to, boolean replace) {
        Node moving = nodes.find(from);
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
                && to.properAncestors().stream().map(nodes::find).anyMatch(RenameRules::isFile)) {
            return Optional.of(Rejection.ANCESTOR_IS_A_FILE);
        }
        if (directoriesAreDocuments && !to.parent().isRoot() && !isDirectoryDocument(nodes.find(to.parent()))) {
            return Optional.of(Rejection.DESTINATION_PARENT_NOT_FOUND);
        }
        Node there = nodes.find(to);
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

    /** Uses a stack instead of recursion, because a path may have a thousand segments. */
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

    /** The code points that a name and its separator add. The path of the root already contains the separator. */
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
}
