package org.treerename.reader;

import org.treerename.path.Namespace;

/** Opens points in time of trees. Any thread may call it. */
public interface PointsInTime {

    /**
     * Opens a point in time. Every part of it shows the tree at a moment after the start of this call, or at the last refresh before that moment.
     *
     * @param isRefreshed whether the point in time shows every write that was acknowledged before the call
     */
    PointInTime open(Namespace namespace, boolean isRefreshed);

    /**
     * Returns a view of the latest state: every part of an answer shows the tree at a moment after the start of its request, or at the last refresh
     * before that moment. Two answers show different moments.
     *
     * @param isRefreshed whether an answer shows every write that was acknowledged before its request
     */
    PointInTime latest(Namespace namespace, boolean isRefreshed);

    /** Returns a point in time that was opened before, by its id. */
    PointInTime opened(Namespace namespace, String id);
}
