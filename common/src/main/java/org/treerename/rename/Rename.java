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

    /** Where a text leads that names a path of the tree: at or below the source it follows the rename, else it stays. */
    public String followed(String text) {
        boolean moves = text.equals(source.text()) || text.startsWith(source.prefixOfBelow());
        return moves ? newPath(text) : text;
    }

    /** Whether what stands at {@code old} stands within the limits of a path afterwards. */
    boolean keepsLimits(String old) {
        return namespace.notation().isWithinLimits(newPath(old));
    }

    /** The move of a document at or below the source. */
    public TreeStore.Move move(Document document) {
        return new TreeStore.Move(document, newPath(document.path()), this::followed);
    }
}
