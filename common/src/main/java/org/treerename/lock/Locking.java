package org.treerename.lock;

import java.util.Collection;
import org.treerename.path.Granularity;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.Path;

/**
 * Which locks the renames and the writers of a namespace take: all that its granularity decides.
 *
 * <p>Document locking takes the tree locks, too, and then, under them, the path of every document below the source. Without
 * a shared lock on what is above the source the locks on the documents would not keep apart what must be kept apart. Another
 * rename whose destination is above the source, and which is half done, would be met only where its documents have arrived:
 * what arrives later would stay behind. One whose source is above this one's, and which begins when this one has moved its
 * last document and not yet ended, would meet nothing at all, also where a search has read of a move that nobody
 * acknowledges and that is made once more. And a rejection because something stands at the destination would be untrue if that
 * is just being moved away. Under the tree locks nobody who takes part creates, moves or removes anything below the source; so
 * what a scan finds there is all, whether directories are documents or not, and the path of a directory that is none needs
 * no lock: whoever wants it also wants a shared one on the source. The locks on the documents then keep out who locks the
 * path of one document and nothing above it.
 */
public record Locking(Granularity granularity, Notation notation) {

    public static Locking of(Namespace namespace) {
        return new Locking(namespace.rules().granularity(), namespace.notation());
    }

    /** What is guessed of a namespace that nobody knows. */
    public static Locking guessed() {
        return tree(Notation.SLASHES);
    }

    /** Tree locks. */
    public static Locking tree(Notation notation) {
        return new Locking(Granularity.TREE, notation);
    }

    public LockSet ofRename(String namespace, Path source, Path destination) {
        return switch (granularity) {
            case GLOBAL -> LockSet.whole(namespace, notation.root(), LockMode.EXCLUSIVE);
            case TREE -> LockSet.tree(namespace, source, destination);
            case DOCUMENT -> LockSet.tree(namespace, source, destination).opened();
        };
    }

    public LockSet ofWriter(String namespace, Collection<Path> directories) {
        return switch (granularity) {
            case GLOBAL -> LockSet.whole(namespace, notation.root(), LockMode.SHARED);
            case TREE, DOCUMENT -> LockSet.writing(namespace, directories);
        };
    }
}
