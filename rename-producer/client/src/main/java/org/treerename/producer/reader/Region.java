package org.treerename.producer.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * A set of stored documents that belong to the result of one query. The paths of a region are stored paths in
 * Elasticsearch.
 *
 * @param part the part of the stored tree that contains the documents
 * @param moved the rename that moves all these documents; null if no rename moves these documents
 * @param without the parts that are excluded from the region
 * @param replacing the renames that replace documents of the part. The region does not contain the documents that these
 *     renames replace at their destinations
 */
public record Region(Part part, @Nullable CommittedRename moved, List<Part> without, List<CommittedRename> replacing) {

    /** The documents in reach of a stored path. */
    public record Part(TreePath path, Reach reach) {}

    public Region {
        without = List.copyOf(without);
        replacing = List.copyOf(replacing);
    }

    /** Returns the logical path of a document of this region. */
    String logical(String stored) {
        return moved == null ? stored : moved.followed(stored);
    }
}
