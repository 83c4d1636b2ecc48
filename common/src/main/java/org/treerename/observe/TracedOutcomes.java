package org.treerename.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.function.Function;
import org.treerename.request.Outcome;
import org.treerename.request.Outcomes;
import org.treerename.request.Status;

/** Adds the outcome of a rename to the span of the rename. */
record TracedOutcomes(Outcomes outcomes, Function<String, Outcome> read) implements Outcomes {

    @Override
    public void publish(String requestId, String outcome) {
        Span span = RenameSpan.span();
        if (span.isRecording()) {
            addTo(span, read.apply(outcome));
        }
        outcomes.publish(requestId, outcome);
    }

    private static void addTo(Span span, Outcome outcome) {
        String reason = outcome.publishedReason();
        span.setAttribute(Attributes.STATUS, outcome.publishedStatus()).setAttribute(Attributes.MOVED, outcome.moved());
        if (reason != null) {
            span.setAttribute(Attributes.REASON, reason);
        }
        if (outcome.status() == Status.FAILED) {
            span.setStatus(StatusCode.ERROR, outcome.message());
        }
    }
}
