package org.treerename.producer;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.Status;

/** Creates outcomes with fixed times, and encodes the outcomes as a worker does. */
public final class OutcomeTexts {

    private static final Instant REQUESTED = Instant.parse("2026-08-01T10:00:00Z");

    private OutcomeTexts() {}

    public static Outcome completed(String requestId, long moved) {
        return outcome(requestId, Status.COMPLETED, null, "done", moved);
    }

    public static Outcome rejected(String requestId, Reason reason, String message) {
        return outcome(requestId, Status.REJECTED, reason, message, 0);
    }

    public static Outcome outcome(
            String requestId, Status status, @Nullable Reason reason, String message, long moved) {
        return new Outcome(
                requestId,
                status,
                reason,
                message,
                moved,
                0,
                "worker-1",
                false,
                "me",
                REQUESTED,
                status == Status.COMPLETED ? REQUESTED.plusMillis(100) : null,
                REQUESTED.plusMillis(200),
                null);
    }

    public static String json(Outcome outcome) {
        return OutcomeCodec.encode(outcome);
    }
}
