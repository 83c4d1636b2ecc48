package org.treerename.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.tree.Document;

/**
 * The facts that the commit of a rename stores. These facts never change.
 *
 * @param committedBy the process that committed the rename; a process that becomes the owner later rolls the rename
 *     forward
 * @param indices the UUIDs of the concrete indices; the keys are the names of the indices
 * @param removals the documents at the destination that the rename replaces
 * @param ownId the id of the only document whose path is the source; null if there is no document or more than one
 *     document with this path
 */
public record Decision(
        Instant committedAt,
        String committedBy,
        Map<String, String> indices,
        List<Document.Ref> removals,
        @Nullable String ownId) {

    public Decision {
        indices = Map.copyOf(indices);
        removals = List.copyOf(removals);
    }

    /** Creates a decision without {@code ownId}. */
    public Decision(Instant committedAt, String committedBy, Map<String, String> indices, List<Document.Ref> removals) {
        this(committedAt, committedBy, indices, removals, null);
    }
}
