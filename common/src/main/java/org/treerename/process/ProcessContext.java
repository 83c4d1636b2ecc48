package org.treerename.process;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.event.Level;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * The context of a process that runs renames: its id, its limits and its stop signal.
 *
 * @param processId the id of the process; its process document exists
 * @param lockWait the time for which a rename waits for locks of other requests before it fails
 * @param maxPasses the number of passes after which a move may end although its last pass found documents. A pass with
 *     a refused write never ends the move
 * @param stop the signal that stops or pauses this process
 * @param holdIds returns a new hold id, which no attempt has used before
 */
public record ProcessContext(
        String processId,
        Time time,
        Backoff.Factory backoffs,
        Duration lockWait,
        int maxPasses,
        StopSignal stop,
        Supplier<String> holdIds) {

    private static final Duration POLL = Duration.ofMillis(50);

    public ProcessContext {
        if (lockWait.isNegative()) {
            throw new IllegalArgumentException("the lock wait must not be negative, was " + lockWait);
        }
        if (maxPasses < 2) {
            throw new IllegalArgumentException(
                    "the maximum number of passes of a rename must be at least 2, was " + maxPasses);
        }
    }

    /** Returns a copy of this context with another stop signal. */
    public ProcessContext stoppedBy(StopSignal other) {
        return new ProcessContext(processId, time, backoffs, lockWait, maxPasses, other, holdIds);
    }

    /** Creates a context with random hold ids. */
    public ProcessContext(
            String processId, Time time, Backoff.Factory backoffs, Duration lockWait, int maxPasses, StopSignal stop) {
        this(
                processId,
                time,
                backoffs,
                lockWait,
                maxPasses,
                stop,
                () -> UUID.randomUUID().toString());
    }

    /**
     * Blocks while this process's lease is in doubt. Returns when this process may write.
     *
     * @param what the operation or the object, for the message of the exception
     * @throws FencedException if this process was fenced
     */
    public void beforeWriting(String what) {
        while (stop.isHeld() && !stop.isAbandoned()) {
            time.pause(POLL);
        }
        if (stop.isAbandoned()) {
            throw new FencedException(what);
        }
    }

    /**
     * Calls a store until it answers, with growing pauses between the calls. Use this method for reads, and for writes
     * that may be repeated.
     *
     * @param what the operation, for log lines and the exception
     * @throws FencedException if this process was fenced
     */
    public <T> T retryUntilAnswered(String what, Supplier<T> operation) {
        return retry(what, operation, () -> false).orElseThrow();
    }

    /**
     * Calls a store as {@link #retryUntilAnswered(String, Supplier)} does. Returns empty if the store has not answered
     * before a stop request.
     */
    public <T> Optional<T> retryUntilStopped(String what, Supplier<T> operation) {
        return retry(what, operation, stop::isRequested);
    }

    private <T> Optional<T> retry(String what, Supplier<T> operation, BooleanSupplier isOver) {
        Backoff backoff = backoffs.begin(what);
        while (true) {
            try {
                return Optional.of(operation.get());
            } catch (NoAnswerException e) {
                pauseAfter(e, backoff);
                if (stop.isAbandoned()) {
                    throw new FencedException(what);
                }
                if (isOver.getAsBoolean()) {
                    return Optional.empty();
                }
            }
        }
    }

    /** Waits before the next try. Logs the failure unless it was logged before. */
    public static void pauseAfter(NoAnswerException failure, Backoff backoff) {
        if (failure.isReported()) {
            backoff.pause();
        } else {
            backoff.pauseAfter(failure);
        }
    }

    /**
     * Returns the log level of a failure that does not stop the caller: DEBUG if the failure was logged before,
     * otherwise WARN.
     */
    public static Level levelOf(NoAnswerException failure) {
        return failure.isReported() ? Level.DEBUG : Level.WARN;
    }

    /**
     * Calls a store until it answers, for an operation without a result, as {@link #retryUntilAnswered(String,
     * Supplier)} does.
     */
    public void retryUntilAnswered(String what, Runnable write) {
        retryUntilAnswered(what, () -> {
            write.run();
            return true;
        });
    }
}
