package org.treerename.lock;

import java.util.Collection;
import org.treerename.path.Granularity;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.Path;

/** Which locks the renames and the writers of a namespace take: all that its granularity decides. */
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
            // renames by document are refused before anything is decided
            case TREE, DOCUMENT -> LockSet.tree(namespace, source, destination);
        };
    }

    public LockSet ofWriter(String namespace, Collection<Path> directories) {
        return switch (granularity) {
            case GLOBAL -> LockSet.whole(namespace, notation.root(), LockMode.SHARED);
            case TREE, DOCUMENT -> LockSet.writing(namespace, directories);
        };
    }
}
