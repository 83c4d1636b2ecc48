package org.treerename.producer;

import java.util.concurrent.CompletableFuture;
import org.treerename.request.DecisionTime;

/**
 * A request that was sent, and the future of its decision.
 *
 * @param sent the futures of Kafka's acknowledgement and of the outcome
 * @param decided completes when the rename is decided. The first report of the rename's progress completes this future.
 *     If the outcome arrives before a report, the outcome completes this future. If the rename is rejected, fails or is
 *     cancelled, this future fails with a {@link NotCommittedException}. It also fails if the future of the outcome
 *     fails. A cancellation of this future ends only the wait, not the rename.
 */
public record Followed(Sent sent, CompletableFuture<DecisionTime> decided) {

    /**
     * Returns the futures of a request whose progress is not reported. The outcome completes the future of the
     * decision.
     */
    public static Followed withoutProgress(Sent sent) {
        AwaitedDecision decision = new AwaitedDecision();
        var unused = sent.outcome().whenComplete(decision::ended);
        return new Followed(sent, decision.decided());
    }
}
