package org.treerename.rename;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Age;

/**
 * One delivery of one request.
 *
 * @param digest of the content: two deliveries with the same request id and another digest are not the same request
 * @param appendedAt when the log took it
 * @param missing a request that it is to come after and of which the journal knew nothing in time; null if there is none
 */
public record Delivery(
        Asked asked,
        String digest,
        Place place,
        Instant appendedAt,
        @Nullable String missing) {

    /** One that waits for nobody. */
    public Delivery(Asked asked, String digest, Place place, Instant appendedAt) {
        this(asked, digest, place, appendedAt, null);
    }

    public String requestId() {
        return asked.requestId();
    }

    Age age() {
        return new Age(appendedAt.toEpochMilli(), requestId());
    }
}
