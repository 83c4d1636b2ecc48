package org.treerename.rename;

import org.treerename.lock.LockSet;
import org.treerename.path.Namespace;
import org.treerename.path.Path;

/** A request that is valid in itself: both paths are paths of a known namespace, and the source is not the root. */
public record Rename(String requestId, Namespace namespace, Path source, Path destination, OnExisting onExisting) {

    public Rename {
        if (source.isRoot()) {
            throw new IllegalArgumentException("the root cannot be renamed");
        }
    }

    public LockSet lockSet() {
        return LockSet.tree(namespace.name(), source, destination);
    }

    /** True where the source is the destination: it completes without a document moved. */
    public boolean changesNothing() {
        return source.equals(destination);
    }

    /**
     * Where a document that stands at {@code old} will stand: the destination, and what follows the source in the old
     * path. The text is one that a document carries, so neither need be a {@link Path}.
     *
     * @throws IllegalArgumentException if the old path is neither the source nor below it
     */
    public String newPath(String old) {
        if (old.equals(source.text())) {
            return destination.text();
        }
        if (!old.startsWith(source.prefixOfBelow())) {
            throw new IllegalArgumentException(old + " is neither " + source + " nor below it");
        }
        return destination.prefixOfBelow()
                + old.substring(source.prefixOfBelow().length());
    }
}
