package org.treerename.rename;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;

/**
 * A request that is valid in itself: both paths are paths of a known namespace, and the source is not the root.
 *
 * @param version in which it writes documents whose versions another system gives; null where Elasticsearch does, and where
 *     each document says its own
 * @param sourceId the id of the one document that is to be at the source itself; null for any
 */
public record Rename(
        String requestId,
        Namespace namespace,
        TreePath source,
        TreePath destination,
        OnExisting onExisting,
        @Nullable Long version,
        @Nullable String sourceId) {

    public Rename {
        if (source.isRoot()) {
            throw new IllegalArgumentException("the root cannot be renamed");
        }
    }

    /** One of documents whose versions Elasticsearch gives. */
    public Rename(String requestId, Namespace namespace, TreePath source, TreePath destination, OnExisting onExisting) {
        this(requestId, namespace, source, destination, onExisting, null);
    }

    /** One of whatever is at the source. */
    public Rename(
            String requestId,
            Namespace namespace,
            TreePath source,
            TreePath destination,
            OnExisting onExisting,
            @Nullable Long version) {
        this(requestId, namespace, source, destination, onExisting, version, null);
    }

    public LockSet lockSet() {
        return LockPolicy.of(namespace).ofRename(namespace.name(), source, destination);
    }

    /** True where the source is the destination: it completes without a document moved. */
    public boolean changesNothing() {
        return source.equals(destination);
    }

    /**
     * Where a document that stands at {@code old} will stand: the destination, and what follows the source in the old
     * path. The text is one that a document carries, so neither need be a {@link TreePath}.
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

    /**
     * The move of a document at or below the source.
     *
     * @throws IllegalArgumentException if the document is to say in which version, and does not
     */
    public TreeStore.Move move(Document document) {
        return move(
                document,
                condition(document)
                        .orElseThrow(() -> new IllegalArgumentException(
                                document.ref().id() + " does not say in which version it is written")));
    }

    TreeStore.Move move(Document document, Condition condition) {
        return new TreeStore.Move(document, newPath(document.path()), this::followed, condition);
    }

    /** On which condition a document is moved; empty where that is to say in which version, and does not. */
    Optional<Condition> condition(Document document) {
        String field = namespace.rules().versionField();
        return field == null
                ? Optional.of(condition(version == null ? 0 : version))
                : PathFields.whole(document.source(), field)
                        .filter(said -> said >= 0)
                        .map(this::condition);
    }

    /** The removal of a document at the destination. Where documents say their version, it is the one that was read. */
    public TreeStore.Removal removal(Document.Ref ref) {
        return new TreeStore.Removal(ref, condition(version == null ? ref.external() : version));
    }

    private Condition condition(long to) {
        return switch (namespace.rules().version()) {
            case SEQ_NO -> new Condition.AsRead();
            case EXTERNAL -> new Condition.Above(to, false);
            case EXTERNAL_GTE -> new Condition.Above(to, true);
        };
    }
}
