package org.treerename.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.tree.Document;

/**
 * The facts that the commit of a rename stores, and that do not change afterwards.
 *
 * @param committedBy the process that committed the rename; if another process becomes the owner, it rolls the rename
 *     forward
 * @param indices the uuid of each concrete index, by the name of the index
 * @param removals the documents at the destination that the rename replaces
 * @param ownId the id of the only document at the source itself; null if there is no document or more than one
 *     document
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

    /** Creates the decision of a rename that does not have exactly one document at its source. */
    public Decision(Instant committedAt, String committedBy, Map<String, String> indices, List<Document.Ref> removals) {
        this(committedAt, committedBy, indices, removals, null);
    }
}
