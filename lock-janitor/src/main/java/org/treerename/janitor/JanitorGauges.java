package org.treerename.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.host.Host;
import org.treerename.metrics.Metric;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Progress;
import org.treerename.rename.State;
import org.treerename.runtime.Health;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;

/**
 * What one incarnation of a janitor tells of its ticks, and of what it sees in the journal at each. The janitor's thread looks, any
 * thread may ask.
 */
final class JanitorGauges {

    /** After so long without progress an open rename has stalled: far longer than a page takes, or the default wait for locks. */
    static final Duration STALLED_AFTER = Duration.ofMinutes(5);

    /** From one look at the journal to the next: each costs some searches, and what is told is of minutes. */
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);

    /** Renames of each kind that are watched. */
    private static final int WATCHED = 1_000;

    /** Open renames besides those that move, whatever their owner does: waiting for locks, or ended and not closed. */
    private static final Set<State> OTHERS =
            EnumSet.of(State.PREPARED, State.DONE, State.REJECTED, State.FAILED, State.CANCELLED);

    /** So many are read to find one that is no placeholder. */
    private static final int WAITING = 10;

    /** More than clocks differ by. */
    private static final Duration AHEAD = Duration.ofDays(1);

    /** How far a rename has come. A process that tries in vain writes the entry, too, and comes no further. */
    private record Mark(State state, long epoch, Progress progress) {

        static Mark of(JournalEntry entry) {
            return new Mark(entry.state(), entry.ownership().epoch(), entry.progress());
        }
    }

    /** How far a rename has come, and since when it is seen there. */
    private record Seen(Mark mark, long sinceNanos) {}

    private final Journal journal;
    private final Time time;
    private final Health health;
    private Map<String, Seen> open = Map.of();
    private @Nullable Long lookedNanos;
    private volatile int stalled;
    private volatile @Nullable Instant waitingSince;

    private JanitorGauges(Journal journal, Host host) {
        this.journal = journal;
        this.time = host.time();
        this.health = host.observability().health();
    }

    /** From now on it is that of the process, which is ready from the end of its first tick on. */
    static JanitorGauges of(Host host, Journal journal) {
        JanitorGauges gauges = new JanitorGauges(journal, host);
        host.observability().meters().show(Metric.OLDEST_WAITING, gauges::waitingSeconds);
        host.observability().meters().show(Metric.STALLED, () -> gauges.stalled);
        return gauges;
    }

    /** After each tick. Time without an answer does not count: then nobody could have changed an entry. */
    void look() {
        health.begun();
        if (lookedNanos != null && time.nanos() - lookedNanos < BETWEEN_LOOKS.toNanos()) {
            return;
        }
        lookedNanos = time.nanos();
        Map<String, Seen> before = open;
        open = Map.of();
        stalled = 0;
        waitingSince = oldestWaiting().orElse(null);
        var unused = journal.in(EnumSet.of(State.PARKED)); // the measured journal tells how many
        open = watched(before);
        stalled = (int) open.values().stream().filter(this::hasStalled).count();
    }

    private Optional<Instant> oldestWaiting() {
        return Stream.of(State.PREPARED, State.RETRY)
                .flatMap(state -> oldest(state, WAITING).stream()
                        .map(Versioned::value)
                        .filter(entry -> !entry.isPlaceholder())
                        .map(JournalEntry::requestedAt)
                        .limit(1))
                .min(Instant::compareTo);
    }

    private Map<String, Seen> watched(Map<String, Seen> before) {
        List<String> others = journal.in(OTHERS).stream().limit(WATCHED).toList();
        Map<String, Seen> now = new HashMap<>();
        Stream.concat(oldest(State.MOVING, WATCHED).stream(), journal.read(others).stream())
                .map(Versioned::value)
                .forEach(entry -> {
                    Seen seen = before.get(entry.requestId());
                    Mark mark = Mark.of(entry);
                    boolean isSame = seen != null && seen.mark().equals(mark);
                    now.put(entry.requestId(), isSame ? seen : new Seen(mark, time.nanos()));
                });
        return now;
    }

    private List<Versioned<JournalEntry>> oldest(State state, int most) {
        return journal.olderThan(state, time.now().plus(AHEAD), most);
    }

    private boolean hasStalled(Seen seen) {
        return time.nanos() - seen.sinceNanos() >= STALLED_AFTER.toNanos();
    }

    private double waitingSeconds() {
        Instant since = waitingSince;
        return since == null
                ? 0
                : Math.max(0, Duration.between(since, time.now()).toMillis() / 1e3);
    }
}
