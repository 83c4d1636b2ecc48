package org.treerename.reader;

import java.util.List;

/**
 * A view that another process can continue: the point in time, and the renames whose documents it may show at the old path or at the new path.
 *
 * @param namespace the name of the namespace
 * @param path the path of the view
 * @param pointInTime the id of the point in time
 */
public record SavedView(
        String namespace, String path, String pointInTime, boolean isConsistent, List<CommittedRename> renames) {
    public SavedView {
        renames = List.copyOf(renames);
    }
}
