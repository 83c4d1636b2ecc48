package org.treerename.lock;

import java.util.Collection;
import org.treerename.path.Granularity;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/**
 * Which locks the renames and the writers of a namespace take: all that its granularity decides.
 *
 * <p>Document locking takes the tree locks and, under them, the path of every document below the source. The locks on the documents alone would not exclude
 *
 * <ul>
 *   <li>a rename whose destination is above the source: while it moves, it would find only what has arrived, and what
 *       arrives later would stay behind;
 *   <li>a rename whose source is above the source, which begins when this one has moved its last
 *       document and has not ended: it would find nothing, also where a search shows as moved what was never acknowledged;
 *   <li>a rename that is rejected because of a document at its destination, while that document is being moved away.
 * </ul>
 *
 * While a rename holds the tree locks, no other rename and no writer that takes locks creates, moves or removes a document below the source. So
 * a scan there finds all documents. A directory that is no document needs no lock of its own, because a lock on its path conflicts with the lock on
 * the source. The locks on documents exclude programs that lock only the path of one document.
 */
public record LockPolicy(Granularity granularity, Notation notation) {

    public static LockPolicy of(Namespace namespace) {
        return new LockPolicy(namespace.rules().granularity(), namespace.notation());
    }

    /** What is guessed of a namespace that nobody knows. */
    public static LockPolicy guessed() {
        return tree(Notation.SLASHES);
    }

    /** Tree locks. */
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
