package org.treerename.tree;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;

/**
 * A valid request: both paths are paths of a known namespace, and the source is not the root.
 *
 * @param version the version with which the rename writes documents, if another system assigns versions. Null if
 *     Elasticsearch assigns versions, or if each document contains its own version
 * @param sourceId the id of the one document that must be at the source itself; null allows any document
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

    /** Creates a rename of documents whose versions Elasticsearch assigns. */
    public Rename(String requestId, Namespace namespace, TreePath source, TreePath destination, OnExisting onExisting) {
        this(requestId, namespace, source, destination, onExisting, null);
    }

    /** Creates a rename that accepts any document at the source. */
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

    /** Returns whether the source equals the destination. Such a rename completes without moving a document. */
    public boolean changesNothing() {
        return source.equals(destination);
    }

    /**
     * Returns the new path of a document whose path is {@code old}. The new path is the destination, followed by the
     * part of the old path after the source. The old path comes from a document, so the old path and the new path may
     * be invalid as a {@link TreePath}.
     *
     * @throws IllegalArgumentException if the old path is neither the source nor below the source
     */
    public String newPath(String old) {
        if (old.equals(source.text())) {
            return destination.text();
        }
        if (!old.startsWith(source.prefixOfBelow())) {
            throw new IllegalArgumentException("expected a path at or below " + source + ", found " + old);
        }
        return destination.prefixOfBelow()
                + old.substring(source.prefixOfBelow().length());
    }

    /**
     * Returns the text that replaces a text in a field. If the text is a path at or below the source, returns the new
     * path. Otherwise returns the same text.
     */
    public String followed(String text) {
        return isAtOrBelowSource(text) ? newPath(text) : text;
    }

    public boolean isAtOrBelowSource(String path) {
        return path.equals(source.text()) || path.startsWith(source.prefixOfBelow());
    }

    /** Returns whether the new path of a document at {@code old} is within the limits for paths. */
    public boolean keepsLimits(String old) {
        return namespace.notation().isWithinLimits(newPath(old));
    }

    /**
     * Returns the reason why a document can never be moved, as far as its path and its version show it; empty if there
     * is none.
     */
    public Optional<String> obstacle(Document document) {
        if (condition(document).isEmpty()) {
            return Optional.of("its field " + namespace.rules().versionField() + " contains no version");
        }
        return keepsLimits(document.path())
                ? Optional.empty()
                : Optional.of("its new path would have too many code points or segments");
    }

    /** Returns the reason why a document can never be moved, as far as its contents show it; empty if there is none. */
    public Optional<String> obstacleInContents(Document document) {
        return obstacle(document)
                .or(() -> PathFields.moved(namespace, move(document)).isPresent()
                        ? Optional.empty()
                        : Optional.of(PathFields.NOT_ONE_PATH));
    }

    /**
     * Returns the move of a document at or below the source.
     *
     * @throws IllegalArgumentException if the document must contain its version, but does not contain it
     */
    public TreeStore.Move move(Document document) {
        return move(
                document,
                condition(document)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "document " + document.ref().id() + " does not contain its version in the field "
                                        + namespace.rules().versionField())));
    }

    public TreeStore.Move move(Document document, Condition condition) {
        return new TreeStore.Move(document, newPath(document.path()), this::followed, condition);
    }

    /**
     * Returns the condition of the move of a document. Returns empty if the document must contain its version but does
     * not contain it.
     */
    public Optional<Condition> condition(Document document) {
        String field = namespace.rules().versionField();
        return field == null
                ? Optional.of(condition(version == null ? 0 : version))
                : PathFields.whole(document.source(), field)
                        .filter(found -> found >= 0)
                        .map(this::condition);
    }

    /**
     * Returns the removal of a document at the destination. If documents contain their versions, the condition of the
     * removal uses the version that was read.
     */
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
