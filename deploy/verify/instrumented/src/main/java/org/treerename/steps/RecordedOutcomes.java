package org.treerename.steps;

import org.treerename.request.Outcomes;
import org.treerename.steps.Step.Answer;

/** Records every publication of an outcome as a {@link Step}, even if no answer arrives. */
record RecordedOutcomes(Outcomes outcomes, Steps steps) implements Outcomes {

    @Override
    public void publish(String requestId, String outcome) {
        steps.report(
                Steps.unanswered("publish", requestId),
                () -> {
                    outcomes.publish(requestId, outcome);
                    return true;
                },
                done -> Step.of("publish", requestId, Answer.WRITTEN));
    }
}
