package org.treerename.checker;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node of the model's tree. Each node stores the number of the documents at and below the node, and a fingerprint
 * of these documents. The fingerprint does not contain the name of the node itself. So a move changes only the nodes
 * above the source and the destination.
 */
final class Node {

    private final Map<String, Node> children = new HashMap<>();
    private final @Nullable TreeDocument document;
    private @Nullable Node parent;
    private String name = "";
    private long documents;
    private long childrenFingerprint;

    Node(@Nullable TreeDocument document) {
        this.document = document;
        this.documents = document == null ? 0 : 1;
    }

    @Nullable
    TreeDocument document() {
        return document;
    }

    Map<String, Node> children() {
        return children;
    }

    @Nullable
    Node parent() {
        return parent;
    }

    @Nullable
    Node child(String childName) {
        return children.get(childName);
    }

    boolean hasChildren() {
        return !children.isEmpty();
    }

    /** Returns the number of documents at and below this node. */
    long documents() {
        return documents;
    }

    /**
     * Returns a fingerprint of the documents at and below this node, and of the places of these documents below the
     * node. Nodes with the same documents at the same places have the same fingerprint. Other nodes have different
     * fingerprints with very high probability.
     */
    long fingerprint() {
        return mixed(childrenFingerprint + (document == null ? 0 : textFingerprint(document.id())));
    }

    void hang(String childName, Node child) {
        if (children.putIfAbsent(childName, child) != null) {
            throw new IllegalArgumentException("expected one child \"" + childName + "\", found two");
        }
        child.parent = this;
        child.name = childName;
        change(child.documents, child.contribution());
    }

    void unhang(Node child) {
        children.remove(child.name);
        child.parent = null;
        change(-child.documents, -child.contribution());
    }

    /**
     * Replaces a child that has no document by a node with this document. The new node receives the children of the old
     * node.
     */
    void putDocument(Node child, TreeDocument there) {
        String at = child.name;
        unhang(child);
        Node filled = new Node(there);
        Map<String, Node> below = new HashMap<>(child.children);
        below.values().forEach(child::unhang);
        below.forEach(filled::hang);
        hang(at, filled);
    }

    private void change(long documentsMore, long fingerprintMore) {
        Node node = this;
        long more = fingerprintMore;
        while (node != null) {
            Node above = node.parent;
            long before = above == null ? 0 : node.contribution();
            node.documents += documentsMore;
            node.childrenFingerprint += more;
            more = above == null ? 0 : node.contribution() - before;
            node = above;
        }
    }

    private long contribution() {
        return mixed(fingerprint() + 31 * textFingerprint(name));
    }

    private static long textFingerprint(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return mixed(hash);
    }

    /** Mixes the bits of a value with the last steps of SplitMix64 (Steele, Lea, Flood, 2014). */
    private static long mixed(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
