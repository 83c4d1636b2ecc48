package org.treerename.lock;

import java.util.Optional;
import java.util.Set;

/**
 * A release of locks. The release names holds by their ids and, if the request has ended, the claim of the request. A
 * release cannot name a lock by its path alone.
 */
public record Release(Set<String> holdIds, Optional<String> claimOf) {

    public Release {
        holdIds = Set.copyOf(holdIds);
    }

    /** Returns a release of the hold of one attempt. The claims of its request are kept. */
    public static Release ofHold(String holdId) {
        return new Release(Set.of(holdId), Optional.empty());
    }

    /** Returns a release of all holds of a request and of its claim. */
    public static Release ofRequest(String requestId, Set<String> holdIds) {
        return new Release(holdIds, Optional.of(requestId));
    }
}
