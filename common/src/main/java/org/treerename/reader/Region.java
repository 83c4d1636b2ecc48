package org.treerename.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * Stored documents that all belong to the answer to one question, by the paths that they have in Elasticsearch.
 *
 * @param moved the rename that all of them follow; null for documents that follow none
 * @param without documents of the part that do not belong to it
 * @param replacing renames that replace documents of the part. A replaced document does not belong to the region while it is at the destination
 */
public record Region(Part part, @Nullable CommittedRename moved, List<Part> without, List<CommittedRename> replacing) {

    /** Documents by their stored paths. */
    public record Part(TreePath path, Reach reach) {}

    public Region {
        without = List.copyOf(without);
        replacing = List.copyOf(replacing);
    }

    /** Returns where a document of this region is, in the tree that a reader sees. */
    String logical(String stored) {
        return moved == null ? stored : moved.followed(stored);
    }
}
