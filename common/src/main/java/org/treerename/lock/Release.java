package org.treerename.lock;

import java.util.Optional;
import java.util.Set;

/**
 * What is to be taken out of lock tables: holds by their ids and, where the request has ended, its claim. There is no
 * release by path alone.
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
