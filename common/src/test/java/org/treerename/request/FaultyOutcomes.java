package org.treerename.request;

import org.treerename.store.Calls;

/** Outcomes whose publishing passes through an interference. */
public record FaultyOutcomes(Outcomes outcomes, Calls calls) implements Outcomes {

    @Override
    public void publish(String requestId, String outcome) {
        calls.write("outcomes.publish", () -> outcomes.publish(requestId, outcome));
    }
}
