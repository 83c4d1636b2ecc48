package org.treerename.rename;

import java.time.Instant;
import org.treerename.lock.Age;

/**
 * One delivery of one request.
 *
 * @param digest of the content: two deliveries with the same request id and another digest are not the same request
 * @param appendedAt when the log took it
 */
public record Delivery(Asked asked, String digest, Place place, Instant appendedAt) {

    public String requestId() {
        return asked.requestId();
    }

    Age age() {
        return new Age(appendedAt.toEpochMilli(), requestId());
    }
}
