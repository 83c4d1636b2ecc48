package org.treerename.crash;

import org.treerename.request.Outcomes;

/** Calls {@link CrashPoints#reach} before and after the publication of an outcome. */
final class CrashingOutcomes implements Outcomes {

    private final Outcomes outcomes;
    private final CrashPoints points;

    CrashingOutcomes(Outcomes outcomes, CrashPoints points) {
        this.outcomes = outcomes;
        this.points = points;
    }

    @Override
    public void publish(String requestId, String outcome) {
        points.reach(CrashPoint.BEFORE_OUTCOME);
        outcomes.publish(requestId, outcome);
        points.reach(CrashPoint.AFTER_OUTCOME);
    }
}
