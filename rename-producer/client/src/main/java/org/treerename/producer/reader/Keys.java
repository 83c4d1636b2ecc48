package org.treerename.producer.reader;

import java.util.Comparator;
import java.util.List;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;

/**
 * Computes the keys by which the documents of a namespace are ordered. The key of a document is its path. If the path
 * field contains the directory, the key consists of the directory and the name. A stored key contains the path in
 * Elasticsearch. A logical key contains the path that the reader sees. Texts are compared by code points, as in
 * Elasticsearch.
 */
record Keys(Namespace namespace) {

    static final Comparator<String> TEXTS = Keys::compare;

    static final Comparator<List<String>> ORDER = (one, other) -> {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    };

    boolean byDirectory() {
        return namespace.fields().holds() == Holds.DIRECTORY;
    }

    List<String> of(String path) {
        return byDirectory()
                ? List.of(
                        namespace.notation().parentOf(path),
                        namespace.notation().nameOf(path))
                : List.of(path);
    }

    /** Returns a lower bound of the logical keys of all documents of a region. */
    List<String> least(Region region) {
        if (region.moved() == null) {
            return List.of();
        }
        String path = region.logical(region.part().path().text());
        return List.of(byDirectory() ? namespace.notation().parentOf(path) : path);
    }

    /**
     * The bound of a region's stored keys, translated from a bound of logical keys.
     *
     * @param from the smallest first part of a stored key; empty if the bound excludes no document
     * @param isBehind whether all documents of the region are before the bound
     */
    record Bound(String from, boolean isBehind) {}

    /** Translates the smallest first part of a logical key into a bound of the stored keys of a region. */
    Bound stored(Region region, String from) {
        CommittedRename moved = region.moved();
        if (moved == null) {
            return new Bound(from, false);
        }
        String destination = moved.destination().text();
        String least = byDirectory() ? namespace.notation().parentOf(destination) : destination;
        if (compare(from, least) <= 0) {
            return new Bound("", false);
        }
        if (compare(from, destination) <= 0) {
            return new Bound(moved.source().text(), false);
        }
        return from.startsWith(destination)
                ? new Bound(moved.source().text() + from.substring(destination.length()), false)
                : new Bound("", true);
    }

    private static int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // a surrogate is part of a code point that is greater than every code point of a single char
                boolean differ = Character.isSurrogate(a) != Character.isSurrogate(b);
                return differ ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(one.length(), other.length());
    }
}
