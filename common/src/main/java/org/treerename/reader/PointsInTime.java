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

    /**
     * Returns the tree as it is whenever it is asked: every part of an answer shows a moment after the question, or what a refresh showed last before
     * that. Two answers show different moments.
     *
     * @param isRefreshed whether an answer shows every write that was acknowledged before the question
     */
    PointInTime latest(Namespace namespace, boolean isRefreshed);

    /** Returns one that was opened before, by its id. */
    PointInTime opened(Namespace namespace, String id);
}
