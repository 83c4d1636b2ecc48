package org.treerename.tree;

import java.util.List;
import java.util.Set;
import org.treerename.path.TreePath;

/**
 * The documents that the checks of one rename need, read while the rename held its locks.
 *
 * @param existing every document at the source, at the destination, and at a proper ancestor of the destination
 * @param own the complete documents at the source
 * @param below the number of documents strictly below the source
 * @param destinationIsFilled whether a document exists strictly below the destination
 * @param longest the largest number of code points, and the largest number of segments, of a path below the source. A
 *     number is 0 if the rename does not increase this number for any path
 * @param immovable the first documents at or below the source that cannot be moved, each with its id and the reason.
 *     Documents that cannot be moved may be missing if only their contents show it
 * @param indices the names of the concrete indices that were refreshed and searched
 * @param node the address of the node that refreshed and read the documents; empty if nodes have no addresses
 */
public record TreeSnapshot(
        List<Existing> existing,
        List<Document> own,
        long below,
        boolean destinationIsFilled,
        Longest longest,
        List<String> immovable,
        Set<String> indices,
        String node) {

    /** The number of documents that a message about immovable documents names. */
    public static final int SHOWN = 10;

    /** A document without its contents. */
    public record Existing(Document.Ref ref, TreePath path, boolean directory) {}

    /** The largest number of code points and the largest number of segments of a path below the source. */
    public record Longest(int codePoints, int segments) {}

    public TreeSnapshot {
        existing = List.copyOf(existing);
        own = List.copyOf(own);
        immovable = immovable.stream().limit(SHOWN).toList();
        indices = Set.copyOf(indices);
    }

    /** Creates a snapshot that names no index, no node and no immovable document. */
    public TreeSnapshot(
            List<Existing> existing, List<Document> own, long below, boolean destinationIsFilled, Longest longest) {
        this(existing, own, below, destinationIsFilled, longest, List.of(), Set.of(), "");
    }

    /** Returns this snapshot with the indices that were read, and the address of the node that read them. */
    public TreeSnapshot seenAt(Set<String> read, String address) {
        return new TreeSnapshot(existing, own, below, destinationIsFilled, longest, immovable, read, address);
    }

    /** Returns this snapshot with documents that cannot be moved. */
    public TreeSnapshot withImmovable(List<String> documents) {
        return new TreeSnapshot(existing, own, below, destinationIsFilled, longest, documents, indices, node);
    }

    /** Returns the number of documents that the rename moves, according to this snapshot. */
    public long expected() {
        return below + own.size();
    }

    /** Returns the documents at a path. */
    public List<Existing> at(TreePath path) {
        return existing.stream().filter(s -> s.path().equals(path)).toList();
    }
}
