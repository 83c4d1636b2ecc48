package org.treerename.producer;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.treerename.request.DecisionTime;
import org.treerename.request.RenameProgress;

/**
 * Waits until one rename is decided. Processes report progress only after the commit, so the first report with a
 * decision time ends the wait. If all reports are lost, the outcome ends the wait. Any thread may call this class.
 */
final class AwaitedDecision implements ProgressListener {

    private final CompletableFuture<DecisionTime> decided = new CompletableFuture<>();

    CompletableFuture<DecisionTime> decided() {
        return decided;
    }

    @Override
    public void progressed(RenameProgress progress) {
        DecisionTime time = progress.decided();
        if (time != null) {
            decided.complete(time);
        }
    }

    /**
     * Ends the wait for the decision, because the wait for the outcome has ended. Exactly one of the two arguments is
     * null.
     */
    void ended(@Nullable PublishedOutcome published, @Nullable Throwable failure) {
        if (published == null) {
            decided.completeExceptionally(
                    failure == null
                            ? new IllegalStateException("expected an outcome or a failure, found neither")
                            : failure);
            return;
        }
        Optional<DecisionTime> time = DecisionTime.of(published.outcome());
        if (time.isPresent()) {
            decided.complete(time.get());
        } else {
            decided.completeExceptionally(new NotCommittedException(published));
        }
    }
}
