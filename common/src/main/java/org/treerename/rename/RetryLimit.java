package org.treerename.rename;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.process.FencedException;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.Backoff;
import org.treerename.store.DamagedException;
import org.treerename.store.LaterFormatException;

/**
 * Runs a delivery again after an unexpected failure, with growing pauses, and ends the delivery after the last try. An
 * undecided request then fails; a decided request is parked. A wait for locks, for an answer or for other requests is
 * not counted as a failure or as a try. Any thread may call this class.
 *
 * <p>A fenced process stops at once. An {@link Error} is not treated as a failure of a request, but ends the process.
 */
public final class RetryLimit {

    private static final Logger log = LoggerFactory.getLogger(RetryLimit.class);
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final double GROWTH = 2;
    private static final double JITTER = 0.5;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final int maxTries;
    private final Backoff.Factory pauses;

    /** The deliveries that this version cannot process, and the reason for each of them. */
    private final Map<Delivery, String> unreadable = new ConcurrentHashMap<>();

    /**
     * @param maxTries the maximum number of tries of one delivery, from 1 to 100
     */
    public RetryLimit(int maxTries, Backoff.Factory pauses) {
        if (maxTries < 1 || maxTries > 100) {
            throw new IllegalArgumentException("the maximum number of tries must be 1 to 100, was " + maxTries);
        }
        this.maxTries = maxTries;
        this.pauses = pauses;
    }

    /** Returns the pauses between tries: 0.2 s to 10 s, each varied at random by up to half of its length. */
    public static IntervalFunction intervals() {
        return IntervalFunction.ofExponentialRandomBackoff(FIRST, GROWTH, JITTER, LONGEST);
    }

    /**
     * Runs a delivery until it has an answer. Makes at most the maximum number of tries.
     *
     * @throws LaterFormatException if a later version has written the entry or a lock table of the request; this
     *     process must not end the request
     */
    public Answer run(Renamer renamer, Delivery delivery) {
        Backoff backoff = pauses.begin("request " + delivery.requestId());
        while (true) {
            try {
                return renamer.run(delivery);
            } catch (FencedException | LaterFormatException e) {
                throw e;
            } catch (RuntimeException e) {
                int tries = backoff.tries() + 1;
                log.error(
                        "request {}: try {} of {} failed unexpectedly; {}",
                        delivery.requestId(),
                        tries,
                        maxTries,
                        tries == maxTries ? "ending the request without more tries" : "trying again",
                        e);
                if (tries == maxTries) {
                    return giveUp(
                            renamer, delivery, "tried " + maxTries + " times, last failure: " + Failure.inWords(e));
                }
                backoff.pause();
            }
        }
    }

    /**
     * Runs a delivery like {@link #run}. If a later version has written a document that the request needs, waits until
     * the renamer must give the delivery back. A worker of the later version then receives the record.
     */
    public Answer runWhenKnown(Renamer renamer, Delivery delivery) {
        Backoff backoff = pauses.begin("request " + delivery.requestId());
        try {
            while (true) {
                try {
                    return run(renamer, delivery);
                } catch (LaterFormatException e) {
                    if (renamer.isStopping()) {
                        return new Answer.Stopped();
                    }
                    unreadable.put(delivery, String.valueOf(e.getMessage()));
                    backoff.pauseAfter(e);
                }
            }
        } finally {
            unreadable.remove(delivery);
        }
    }

    /** Returns why a delivery waits until this process gives it back; empty if no delivery needs a later version. */
    public Optional<String> needsLaterVersion() {
        return unreadable.entrySet().stream()
                .findFirst()
                .map(waiting -> "request " + waiting.getKey().requestId() + " waits for a later version: "
                        + waiting.getValue());
    }

    /**
     * Ends the request. If the stored entry of the request cannot be decoded, this process does not own the entry, and
     * the record becomes a dead letter. After any other failure, this process may still own an open entry, and no
     * janitor takes over an entry of a live process. So any other failure ends the process, and Kafka delivers the
     * record again.
     */
    private static Answer giveUp(Renamer renamer, Delivery delivery, String why) {
        try {
            return renamer.giveUp(delivery, why);
        } catch (DamagedException e) {
            log.error(
                    "request {}: its journal entry is damaged, so the request ends without an outcome: {}",
                    delivery.requestId(),
                    why,
                    e);
            return new Answer.Unanswerable(why + "; the end of the request cannot be written: " + Failure.inWords(e));
        }
    }
}
