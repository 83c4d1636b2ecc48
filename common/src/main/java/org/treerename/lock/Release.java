package org.treerename.lock;

import java.util.Optional;
import java.util.Set;

/**
 * A release of locks. It contains the ids of the holds, because a path alone does not identify a lock.
 *
 * @param holdIds the ids of the released holds
 * @param claimOf the id of the request whose claim is also released; empty if the claims are kept
 */
public record Release(Set<String> holdIds, Optional<String> claimOf) {

    public Release {
        holdIds = Set.copyOf(holdIds);
    }

    /** Returns a release of the hold of one attempt. The claims of the request are kept. */
    public static Release ofHold(String holdId) {
        return new Release(Set.of(holdId), Optional.empty());
    }

    /** Returns a release of the given holds of a request, and of the claim of the request. */
    public static Release ofRequest(String requestId, Set<String> holdIds) {
        return new Release(holdIds, Optional.of(requestId));
    }
}
