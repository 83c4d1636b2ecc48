package org.treerename.rename;

import java.time.Duration;
import java.util.Optional;
import org.treerename.journal.Delivery;
import org.treerename.journal.UnmetDependency;
import org.treerename.rename.Completion.Without;
import org.treerename.request.Reason;
import org.treerename.request.Status;

/**
 * Decides whether a delivered request ends without a lock, and for which reason. The decision is a pure function of the
 * arguments.
 */
final class EndWithoutLocks {

    private EndWithoutLocks() {}

    /**
     * Returns the reason why a request ends without a lock; empty if the request needs its locks.
     *
     * @param lockWait the longest time that a rename waits for locks or for a parked predecessor
     */
    static Optional<Without> of(Delivery delivery, Validation validation, Duration lockWait) {
        return switch (validation) {
            case Validation.Invalid invalid ->
                Optional.of(new Without(Status.REJECTED, invalid.reason(), invalid.message()));
            case Validation.Hopeless hopeless ->
                Optional.of(new Without(Status.FAILED, Reason.KEPT_FAILING, hopeless.message()));
            case Validation.Valid valid -> Optional.ofNullable(delivery.unmet()).map(unmet -> of(unmet, lockWait));
        };
    }

    private static Without of(UnmetDependency unmet, Duration lockWait) {
        String dependency = "depends on request " + unmet.requestId();
        return switch (unmet.why()) {
            case UNKNOWN ->
                new Without(Status.REJECTED, Reason.UNKNOWN_PREDECESSOR, dependency + ", which has no journal entry");
            case PARKED ->
                new Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        "waited " + lockWait.toSeconds() + " s: " + dependency + ", which is parked");
            case RELEASED ->
                new Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        dependency + ", which was released for a retry and has not been processed since");
        };
    }
}
