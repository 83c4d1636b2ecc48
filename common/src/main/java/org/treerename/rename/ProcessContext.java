package org.treerename.rename;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.event.Level;
import org.treerename.process.FencedException;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * The process that carries renames, and how patient it is.
 *
 * @param processId its process document exists
 * @param lockWait how long a rename waits for locks that others hold before it fails
 * @param maxPasses after how many passes one without a refused write is enough
 * @param holdIds gives an id that no attempt ever had before
 */
public record ProcessContext(
        String processId,
        Time time,
        Backoff.Factory backoffs,
        Duration lockWait,
        int maxPasses,
        StopSignal stop,
        Supplier<String> holdIds) {

    private static final Duration HELD = Duration.ofMillis(50);

    public ProcessContext {
        if (lockWait.isNegative()) {
            throw new IllegalArgumentException("a lock wait is not negative, found " + lockWait);
        }
        if (maxPasses < 2) {
            throw new IllegalArgumentException("a rename needs at least 2 passes, found " + maxPasses);
        }
    }

    /** The same process, for work that a signal of its own can stop. */
    public ProcessContext stoppedBy(StopSignal other) {
        return new ProcessContext(processId, time, backoffs, lockWait, maxPasses, other, holdIds);
    }

    /** With random hold ids. */
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
     * Comes back when this process may write: at once, or when it is out of doubt.
     *
     * @throws FencedException if it was fenced
     */
    public void beforeWriting(String what) {
        while (stop.isHeld() && !stop.isAbandoned()) {
            time.pause(HELD);
        }
        if (stop.isAbandoned()) {
            throw new FencedException(what);
        }
    }

    /** What a store answers, asked as often as it takes: for reads, and for writes that may be done again. */
    public <T> T retryUntilAnswered(String what, Supplier<T> question) {
        Backoff backoff = backoffs.begin(what);
        while (true) {
            try {
                return question.get();
            } catch (NoAnswerException e) {
                pauseAfter(e, backoff);
                if (stop.isAbandoned()) {
                    throw new FencedException(what);
                }
            }
        }
    }

    /** Waits before the next try, and tells why unless that was told. */
    static void pauseAfter(NoAnswerException failure, Backoff backoff) {
        if (failure.isTold()) {
            backoff.pause();
        } else {
            backoff.pauseAfter(failure);
        }
    }

    /** How loudly a failure is told that the caller has a way round. */
    public static Level levelOf(NoAnswerException failure) {
        return failure.isTold() ? Level.DEBUG : Level.WARN;
    }

    public void retryUntilAnswered(String what, Runnable write) {
        retryUntilAnswered(what, () -> {
            write.run();
            return true;
        });
    }
}
