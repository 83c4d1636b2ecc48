package org.treerename.producer;

import java.util.concurrent.CompletableFuture;
import org.treerename.rename.DecisionTime;

/**
 * A request on its way, and the wait for the decision about it.
 *
 * @param sent the waits for Kafka's acknowledgement and for the outcome
 * @param decided completes when the rename is decided: at the first report of its progress or at its outcome, whichever comes
 *     first, so never later than the outcome. Completes exceptionally with a {@link NotCommittedException} if the rename is
 *     rejected, fails or is cancelled, and otherwise as the outcome does. Cancelling it ends this wait only.
 */
public record Followed(Sent sent, CompletableFuture<DecisionTime> decided) {}
