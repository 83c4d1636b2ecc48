package org.treerename.lock;

import java.util.Optional;
import java.util.Set;

/**
 * A release of locks: holds by their ids and, if the request has ended, its claim. There is no release by path alone.
 */
public record Release(Set<String> holdIds, Optional<String> claimOf) {

    public Release {
        holdIds = Set.copyOf(holdIds);
    }

    /** Gives an attempt back; the claims of its request stay. */
    public static Release ofHold(String holdId) {
        return new Release(Set.of(holdId), Optional.empty());
    }

    /** Gives back all that a request may have. */
    public static Release ofRequest(String requestId, Set<String> holdIds) {
        return new Release(holdIds, Optional.of(requestId));
    }
}
