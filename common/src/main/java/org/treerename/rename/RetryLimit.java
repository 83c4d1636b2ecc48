package org.treerename.rename;

import io.github.resilience4j.core.IntervalFunction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.process.FencedException;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.Backoff;
import org.treerename.store.DamagedException;

/**
 * Carries a delivery whose work fails unexpectedly again, with growing pauses, and ends it after the last try: what is not
 * decided fails, what is decided is parked. What has its own way to wait, for locks, for an answer, for others, never fails
 * like this, and counts for nothing. Any thread may call it.
 *
 * <p>A fenced process stops at once. An {@link Error} is no failure of a request, and ends the process.
 */
public final class RetryLimit {

    private static final Logger log = LoggerFactory.getLogger(RetryLimit.class);
    private static final int LONGEST_REASON = 500;
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final double GROWTH = 2;
    private static final double JITTER = 0.5;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final int most;
    private final Backoff.Factory pauses;

    /**
     * @param most how often one delivery is tried before it is given up, from 1
     */
    public RetryLimit(int most, Backoff.Factory pauses) {
        if (most < 1 || most > 100) {
            throw new IllegalArgumentException("a request is tried 1 to 100 times, found " + most);
        }
        this.most = most;
        this.pauses = pauses;
    }

    /** The pauses from one try to the next: 0.2 s to 10 s, half as long to half as long again. */
    public static IntervalFunction intervals() {
        return IntervalFunction.ofExponentialRandomBackoff(FIRST, GROWTH, JITTER, LONGEST);
    }

    public Answer run(Renamer renamer, Delivery delivery) {
        Backoff backoff = pauses.begin("request " + delivery.requestId());
        while (true) {
            try {
                return renamer.run(delivery);
            } catch (FencedException e) {
                throw e;
            } catch (RuntimeException e) {
                int tried = backoff.tries() + 1;
                log.error("request {} failed unexpectedly, try {} of {}", delivery.requestId(), tried, most, e);
                if (tried == most) {
                    return giveUp(renamer, delivery, "tried " + most + " times, the last time " + inWords(e));
                }
                backoff.pause();
            }
        }
    }

    /**
     * Ends the request. A stored entry that cannot be decoded is not this process's, so its record becomes a dead letter. Any
     * other failure may leave an entry of this process open, and no janitor takes over an entry of a live process. So it ends
     * the process, and the record is delivered again.
     */
    private static Answer giveUp(Renamer renamer, Delivery delivery, String why) {
        try {
            return renamer.giveUp(delivery, why);
        } catch (DamagedException e) {
            log.error("request {} cannot be ended, {}", delivery.requestId(), why, e);
            return new Answer.Unanswerable(why + "; its end cannot be written: " + inWords(e));
        }
    }

    /** Well-formed Unicode of bounded length. */
    static String inWords(RuntimeException failure) {
        String text = failure.toString();
        String begin = text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
        return new String(begin.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
