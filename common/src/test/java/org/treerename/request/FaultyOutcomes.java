package org.treerename.request;

import org.treerename.store.Calls;

/** Outcomes whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyOutcomes(Outcomes outcomes, Calls calls) implements Outcomes {

    @Override
    public void publish(String requestId, String outcome) {
        calls.write("outcomes.publish", () -> outcomes.publish(requestId, outcome));
    }
}
