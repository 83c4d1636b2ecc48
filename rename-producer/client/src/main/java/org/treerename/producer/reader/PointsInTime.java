package org.treerename.producer.reader;

import org.treerename.namespace.Namespace;

/** Opens points in time of trees. */
public interface PointsInTime {

    /**
     * Opens a point in time. Every shard opens its part after the start of this call. The part shows the documents at
     * the last refresh of the shard, or at the moment of the opening.
     *
     * @param isRefreshed whether the point in time shows every write that was acknowledged before the call
     */
    PointInTime open(Namespace namespace, boolean isRefreshed);

    /**
     * Returns an object that searches the latest state of a tree. Every shard computes its part of an answer after the
     * start of the request. The part shows the documents at the last refresh of the shard, or at the moment of the
     * computation. Two answers may show the tree at different moments.
     *
     * @param isRefreshed whether an answer shows every write that was acknowledged before its request
     */
    PointInTime latest(Namespace namespace, boolean isRefreshed);

    /** Returns the open point in time with this id. */
    PointInTime opened(Namespace namespace, String id);
}
