package org.treerename.observe;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.runtime.Time;

/**
 * Derives metrics of renames from the reads and writes of journal entries. This class stores the waits for locks of at
 * most {@value #KEPT} renames. If there are more waits, this class drops the least recently used waits, and does not
 * measure the dropped waits. Any thread may call this class.
 */
final class Observations {

    static final int KEPT = 10_000;

    /**
     * The wait of a rename for its locks.
     *
     * @param attemptedNanos the time at which the wait began, as far as this process knows
     * @param lockedNanos the time of the last acquired lock if the rename may need more locks; otherwise null
     */
    private record Wait(long attemptedNanos, @Nullable Long lockedNanos) {}

    private final Meters meters;
    private final Time time;
    private final Function<String, Outcome> outcomes;

    /** The waits for locks, by request id. */
    private final Map<String, Wait> waits = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Wait> eldest) {
            return size() > KEPT;
        }
    };

    Observations(Meters meters, Time time, Function<String, Outcome> outcomes) {
        this.meters = meters;
        this.time = time;
        this.outcomes = outcomes;
    }

    synchronized void attempting(String requestId) {
        waits.putIfAbsent(requestId, new Wait(time.nanos(), null));
    }

    synchronized void attempted(Attempt attempt, boolean taken) {
        String requestId = attempt.entry().requestId();
        Wait wait = waits.get(requestId);
        boolean needsMore = attempt.isFollowed() || attempt.step() == JournalStep.FURTHER_LOCKS;
        if (!taken) {
            meters.count(Metric.LOCK_REFUSALS);
        } else if (wait != null && needsMore) {
            waits.put(requestId, new Wait(wait.attemptedNanos(), time.nanos()));
        } else if (wait != null) {
            waited(wait, time.nanos());
        }
    }

    private void waited(Wait wait, long untilNanos) {
        meters.time(Metric.LOCK_WAIT, Duration.ofNanos(untilNanos - wait.attemptedNanos()));
    }

    /** Removes the wait of a rename in the state RETRY or CLOSED, so that the next attempt begins a new wait. */
    synchronized void read(JournalEntry entry) {
        if (entry.state() == State.RETRY || entry.state() == State.CLOSED) {
            waits.remove(entry.requestId());
        }
    }

    synchronized void wrote(JournalStep step, JournalEntry entry) {
        switch (step) {
            case COMMIT -> waitEnds(entry);
            case END, NOT_DELIVERED, CANCEL, ABANDON -> {
                waitEnds(entry);
                ended(entry);
            }
            case RETRY, CLOSE -> waits.remove(entry.requestId());
            case PARK -> meters.count(Metric.PARKINGS);
            case TAKE_OVER -> tookOver(entry);
            default -> {
                // the other steps have no metric
            }
        }
    }

    /**
     * Removes the wait of a rename. If the rename acquired locks but could need more locks, records the time until the
     * last acquired lock.
     */
    private void waitEnds(JournalEntry entry) {
        Wait wait = waits.remove(entry.requestId());
        if (wait != null && wait.lockedNanos() != null) {
            waited(wait, wait.lockedNanos());
        }
    }

    /**
     * Counts the take-over of an entry that needs an owner. A parked rename needs no owner, so its take-over is not
     * counted.
     */
    private void tookOver(JournalEntry entry) {
        if (entry.state().needsOwner()) {
            meters.count(Metric.TAKE_OVERS, entry.state().name().toLowerCase(Locale.ROOT));
        }
    }

    /** Counts the outcome of a rename. A writer's entry has no outcome, and is not counted. */
    private void ended(JournalEntry entry) {
        entry.ended().map(ending -> outcomes.apply(ending.outcome())).ifPresent(outcome -> {
            Reason reason = outcome.reason();
            meters.count(
                    Metric.RENAMES, outcome.status().published(), reason == null ? Meters.NONE : reason.published());
        });
    }
}
