package org.treerename.reader;

import java.util.List;

/**
 * A view that another process can go on with: the point in time, and the renames of which it may show documents at either path.
 *
 * @param namespace by name
 * @param path of the view
 * @param pointInTime by id
 */
public record SavedView(
        String namespace, String path, String pointInTime, boolean isConsistent, List<CommittedRename> renames) {
    public SavedView {
        renames = List.copyOf(renames);
    }
}
