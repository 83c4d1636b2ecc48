package org.treerename.reader;

import org.treerename.path.Namespace;

/** Opens points in time of trees. Any thread may call it. */
public interface PointsInTime {

    /**
     * Opens one. Every part of it shows the tree as it was at a moment after the call, or as a refresh showed it last before that.
     *
     * @param isRefreshed whether it shows every write that was acknowledged before the call
     */
    PointInTime open(Namespace namespace, boolean isRefreshed);

    /** Returns one that was opened before, by its id. */
    PointInTime opened(Namespace namespace, String id);
}
