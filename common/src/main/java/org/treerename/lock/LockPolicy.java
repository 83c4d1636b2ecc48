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
 * <p>With document locking, a rename acquires the tree locks and also a lock on the path of every document below its
 * source. The locks on the documents alone would not exclude these other renames:
 *
 * <ul>
 *   <li>another rename whose destination is above the source of this rename. This rename would find only the documents
 *       that have already arrived, and would not move documents that arrive later;
 *   <li>another rename whose source is above the source of this rename, if the other rename starts between the last
 *       move and the end of this rename. The other rename would find no document, although its search may show a move
 *       that was never acknowledged;
 *   <li>another rename that is rejected because of a document at its destination, while this rename moves that document
 *       away.
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
