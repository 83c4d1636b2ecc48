package org.treerename.observe;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.runtime.Time;

/**
 * Derives metrics of renames from the entries of the journal. To interpret a write, it compares the entry with the
 * entry that this process last read or wrote. The last {@value #KEPT} renames are kept. For a rename that is no longer
 * kept, only lock refusals and parkings are counted. Any thread may call this class.
 */
final class Observations {

    static final int KEPT = 10_000;

    /**
     * The last known state of a rename.
     *
     * @param entry the journal entry; null if only an attempt is known
     * @param attemptedNanos the time at which its wait for locks began, as far as this process knows
     * @param lockedNanos the time of the last acquired lock, if the rename may need more locks; otherwise null
     */
    private record Seen(
            @Nullable JournalEntry entry,
            long attemptedNanos,
            @Nullable Long lockedNanos) {}

    private final Meters meters;
    private final Time time;
    private final Function<String, Outcome> outcomes;

    /** By request id. */
    private final Map<String, Seen> renames = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > KEPT;
        }
    };

    Observations(Meters meters, Time time, Function<String, Outcome> outcomes) {
        this.meters = meters;
        this.time = time;
        this.outcomes = outcomes;
    }

    synchronized void attempting(String requestId) {
        Seen before = renames.get(requestId);
        if (before == null || isBetweenAttempts(before.entry())) {
            renames.put(requestId, new Seen(before == null ? null : before.entry(), time.nanos(), null));
        }
    }

    /** Returns whether the next attempt begins a new wait for locks. */
    private static boolean isBetweenAttempts(@Nullable JournalEntry entry) {
        return entry != null && entry.state() == State.RETRY;
    }

    synchronized void attempted(Attempt attempt, boolean taken) {
        Seen seen = renames.get(attempt.entry().requestId());
        keep(attempt.entry());
        if (!taken) {
            meters.count(Metric.LOCK_REFUSALS);
        } else if (seen != null && needsMore(seen, attempt)) {
            renames.put(attempt.entry().requestId(), new Seen(attempt.entry(), seen.attemptedNanos(), time.nanos()));
        } else if (seen != null) {
            waited(seen, time.nanos());
        }
    }

    private static boolean needsMore(Seen seen, Attempt attempt) {
        return attempt.isFollowed()
                || (seen.lockedNanos() != null
                        && seen.entry() != null
                        && seen.entry().ownership().equals(attempt.entry().ownership()));
    }

    private void waited(Seen seen, long untilNanos) {
        meters.time(Metric.LOCK_WAIT, Duration.ofNanos(untilNanos - seen.attemptedNanos()));
    }

    synchronized void read(JournalEntry entry) {
        if (entry.state() == State.CLOSED) {
            renames.remove(entry.requestId());
        } else {
            keep(entry);
        }
    }

    synchronized void wrote(JournalEntry entry) {
        Seen seen = renames.get(entry.requestId());
        JournalEntry before = seen == null ? null : seen.entry();
        boolean isOpen = before != null && !before.state().isFinal();
        if (seen != null
                && seen.lockedNanos() != null
                && (entry.state() == State.MOVING || entry.state().isFinal())) {
            waited(seen, seen.lockedNanos());
        }
        if (before != null && wasTakenOver(before, entry)) {
            meters.count(Metric.TAKE_OVERS, before.state().name().toLowerCase(Locale.ROOT));
        }
        if (entry.state().isFinal() && isOpen) {
            ended(entry);
        }
        if (entry.state() == State.PARKED && (before == null || isParked(before, entry))) {
            meters.count(Metric.PARKINGS);
        }
        if (entry.state() == State.CLOSED) {
            renames.remove(entry.requestId());
        } else {
            keep(entry);
        }
    }

    /** Returns whether this write parks a rename, for the first time or again. A take-over or a no-op write does not park it. */
    private static boolean isParked(JournalEntry before, JournalEntry now) {
        return before.state() != State.PARKED
                || (before.ownership().equals(now.ownership()) && before.touches() == now.touches());
    }

    private static boolean wasTakenOver(JournalEntry before, JournalEntry now) {
        return before.state().needsOwner()
                && !before.ownership().processId().equals(now.ownership().processId());
    }

    /** Counts the outcome of a rename. A writer's entry has no outcome, and is not counted. */
    private void ended(JournalEntry entry) {
        entry.ended().map(ending -> outcomes.apply(ending.outcome())).ifPresent(outcome -> {
            Reason reason = outcome.reason();
            meters.count(
                    Metric.RENAMES, outcome.status().published(), reason == null ? Meters.NONE : reason.published());
        });
    }

    /** Updates the gauge of these states. Other sets of states have no gauge. */
    synchronized void looked(Set<State> states, int found) {
        if (states.equals(State.needingOwner())) {
            meters.show(Metric.OPEN, () -> found);
        } else if (states.equals(Set.of(State.PARKED))) {
            meters.show(Metric.PARKED, () -> found);
        }
    }

    private void keep(JournalEntry entry) {
        Seen before = renames.get(entry.requestId());
        renames.put(entry.requestId(), new Seen(entry, before == null ? time.nanos() : before.attemptedNanos(), null));
    }
}
