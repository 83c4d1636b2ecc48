package org.treerename.wire;

import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;
import org.treerename.rename.ParsedRequest.RenameRequest;

/**
 * What decides in which order requests of a namespace are carried out.
 *
 * @param depth how many first segments of the source make the key of a record; 0: the whole namespace is in order
 */
public record Ordering(Notation notation, int depth) {

    /** The key of a request's record. */
    public String keyOf(RenameRequest request) {
        return RequestKey.of(request, notation, depth);
    }

    /** The tree locks that a request would need; none where it can only be rejected. */
    public LockSet locksOf(RenameRequest request) {
        return request.lockSet(LockPolicy.tree(notation)).orElse(LockSet.NONE);
    }
}
