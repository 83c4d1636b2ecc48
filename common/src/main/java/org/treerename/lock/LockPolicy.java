package org.treerename.lock;

import java.util.Collection;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/**
 * The locks that the renames and the writers of a namespace acquire. The locks depend on the granularity of the
 * namespace.
 *
 * <p>With the granularity {@code document}, a rename acquires a lock on the path of every document below its source.
 * The rename also acquires the tree locks: the locks on its source and its destination. Without the tree locks, the
 * locks on the documents would not exclude a second rename in the following cases:
 *
 * <ul>
 *   <li>The destination of the second rename is above the source of the first rename. The first rename would move only
 *       the documents that have already arrived below its source, and no documents that arrive later.
 *   <li>The source of the second rename is above the source of the first rename, and the second rename starts after the
 *       last move of the first rename, but before its end. The second rename would find no document, although its
 *       search may show a move that was never acknowledged.
 *   <li>The second rename is rejected because of a document at its destination, while the first rename moves this
 *       document away.
 * </ul>
 *
 * <p>While a rename holds the tree locks, no other rename creates, moves or removes a document below the source. A
 * writer that acquires locks does not change these documents either. So a scan below the source finds all documents. A
 * directory that is not a document needs no separate lock, because a lock on its path conflicts with the lock on the
 * source. The locks on documents exclude programs that lock only the path of one document.
 */
public record LockPolicy(Granularity granularity, Notation notation) {

    public static LockPolicy of(Namespace namespace) {
        return new LockPolicy(namespace.rules().granularity(), namespace.notation());
    }

    /**
     * Returns the policy that is assumed for a namespace without a known definition: tree locks and paths with slashes.
     */
    public static LockPolicy assumed() {
        return tree(Notation.SLASHES);
    }

    /** Returns the policy with tree locks. */
    public static LockPolicy tree(Notation notation) {
        return new LockPolicy(Granularity.TREE, notation);
    }

    public LockSet ofRename(String namespace, TreePath source, TreePath destination) {
        return switch (granularity) {
            case GLOBAL -> LockSet.whole(namespace, notation.root(), LockMode.EXCLUSIVE);
            case TREE -> LockSet.tree(namespace, source, destination);
            case DOCUMENT -> LockSet.tree(namespace, source, destination).opened();
        };
    }

    public LockSet ofWriter(String namespace, Collection<TreePath> directories) {
        return switch (granularity) {
            case GLOBAL -> LockSet.whole(namespace, notation.root(), LockMode.SHARED);
            case TREE, DOCUMENT -> LockSet.ofWriter(namespace, directories);
        };
    }
}
