package org.treerename.worker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.Status;

/** Creates answers that contain a published outcome. */
final class OutcomeTexts {

    private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

    private OutcomeTexts() {}

    static Answer.Published completed(String requestId) {
        return published(requestId, Status.COMPLETED, null);
    }

    static Answer.Published published(String requestId, Status status, @Nullable Reason reason) {
        return new Answer.Published(OutcomeCodec.encode(new Outcome(
                requestId, status, reason, "in one sentence", 0, 0, "worker-1", false, null, AT, null, AT, null)));
    }
}
