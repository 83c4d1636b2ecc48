package org.treerename.checker;

import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/** Finds, adds, moves and removes the nodes of a tree in memory by their paths. */
final class NodeTree {

    private final Node root = new Node(null);

    Node root() {
        return root;
    }

    /** Returns the node at a path; null if there is none. */
    @Nullable
    Node find(TreePath path) {
        Node node = root;
        for (String segment : path.segments()) {
            node = node.child(segment);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    /** Returns the node at a path. The node must exist. */
    Node existing(TreePath path) {
        Node node = find(path);
        if (node == null) {
            throw new IllegalStateException("expected a document at or below " + path + ", found none");
        }
        return node;
    }

    void move(Node node, TreePath to) {
        unhang(node);
        hang(node, to);
    }

    void hang(Node node, TreePath at) {
        directory(at.parent()).hang(at.name(), node);
    }

    /** Returns the node of a directory. Creates the node if it does not exist. */
    Node directory(TreePath path) {
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

    /**
     * Removes a node. If a directory above the node existed only because of this node, removes the directory as well.
     */
    void unhang(Node node) {
        Node above = node.parent();
        if (above == null) {
            return;
        }
        above.unhang(node);
        if (above.document() == null && !above.hasChildren()) {
            unhang(above);
        }
    }
}
