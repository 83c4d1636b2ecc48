package org.treerename.producer.reader;

import java.util.List;

/**
 * A view that another process can continue. The saved view contains the id of the point in time, and the open renames.
 * The point in time may show documents of these renames at the old path or at the new path.
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
