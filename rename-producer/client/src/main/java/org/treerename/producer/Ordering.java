package org.treerename.producer;

import org.treerename.kafka.RequestKey;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * The settings of a namespace that define the order of its requests.
 *
 * @param depth the number of segments in the key of a record, from the beginning of the source; with 0, all requests of
 *     the namespace keep their order
 */
public record Ordering(Notation notation, int depth) {

    /** Returns the key of the record of a request. */
    public String keyOf(RenameRequest request) {
        return RequestKey.of(request, notation, depth);
    }

    /** Returns the tree locks that a request needs; an empty set if the request can only be rejected. */
    public LockSet locksOf(RenameRequest request) {
        return request.lockSet(LockPolicy.tree(notation)).orElse(LockSet.NONE);
    }
}
