package org.treerename.rename;

import java.util.List;
import java.util.Set;
import org.treerename.path.TreePath;

/**
 * What stands in the tree around one rename, seen under its locks.
 *
 * @param standing every document at the source, at the destination, and at a proper ancestor of the destination
 * @param own the documents at the source, whole
 * @param below how many documents stand strictly below the source
 * @param destinationIsFilled whether a document stands strictly below the destination
 * @param filled the ancestors of the destination below which a document stands; looked up only where directories are not
 *     documents
 * @param longest the most code points, and the most segments, of a path below the source; each 0 where the rename makes no path
 *     longer by that measure
 * @param node the address of the node that made the documents visible and read them; empty where no node has an address
 */
public record TreeSnapshot(
        List<Standing> standing,
        List<Document> own,
        long below,
        boolean destinationIsFilled,
        Set<TreePath> filled,
        Longest longest,
        String node) {

    /** A document without its contents. */
    public record Standing(Document.Ref ref, TreePath path, boolean directory) {}

    /** The largest path in two measures. */
    public record Longest(int codePoints, int segments) {}

    public TreeSnapshot {
        standing = List.copyOf(standing);
        own = List.copyOf(own);
        filled = Set.copyOf(filled);
    }

    /** What was seen where no node has an address. */
    public TreeSnapshot(
            List<Standing> standing,
            List<Document> own,
            long below,
            boolean destinationIsFilled,
            Set<TreePath> filled,
            Longest longest) {
        this(standing, own, below, destinationIsFilled, filled, longest, "");
    }

    /** Returns the same facts, seen at a node. */
    public TreeSnapshot seenAt(String address) {
        return new TreeSnapshot(standing, own, below, destinationIsFilled, filled, longest, address);
    }

    /** How many documents the rename moves, as far as the facts show. */
    public long expected() {
        return below + own.size();
    }

    List<Standing> at(TreePath path) {
        return standing.stream().filter(s -> s.path().equals(path)).toList();
    }
}
