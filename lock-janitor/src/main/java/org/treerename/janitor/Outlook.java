package org.treerename.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
final class Outlook {

    /** After so long without progress a rename that moves has stalled: far longer than one page takes. */
    static final Duration STALLED_AFTER = Duration.ofMinutes(5);

    /** Renames that move and are watched. */
    private static final int MOVING = 1_000;

    /** So many are read to find one that is no placeholder. */
    private static final int WAITING = 10;

    /** More than clocks differ by. */
    private static final Duration AHEAD = Duration.ofDays(1);

    /** How far a rename has come, and since when it is seen there. Who tries in vain writes the entry, too, and comes no further. */
    private record Seen(Progress progress, long sinceNanos) {}

    private final Journal journal;
    private final Time time;
    private final Health health;
    private Map<String, Seen> moving = Map.of();
    private volatile int stalled;
    private volatile @Nullable Instant waitingSince;

    private Outlook(Journal journal, Host host) {
        this.journal = journal;
        this.time = host.time();
        this.health = host.lookout().health();
    }

    /** From now on it is that of the process, which is ready from the end of its first tick on. */
    static Outlook of(Host host, Journal journal) {
        Outlook outlook = new Outlook(journal, host);
        host.lookout().meters().show(Metric.OLDEST_WAITING, outlook::waitingSeconds);
        host.lookout().meters().show(Metric.STALLED, () -> outlook.stalled);
        return outlook;
    }

    /** After each tick. Time without an answer does not count: then nobody could have changed an entry. */
    void look() {
        health.begun();
        Map<String, Seen> before = moving;
        moving = Map.of();
        stalled = 0;
        waitingSince = oldestWaiting().orElse(null);
        var unused = journal.in(EnumSet.of(State.PARKED)); // the measured journal tells how many
        moving = watched(before);
        stalled = (int) moving.values().stream().filter(this::hasStalled).count();
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
        Map<String, Seen> now = new HashMap<>();
        for (Versioned<JournalEntry> entry : oldest(State.MOVING, MOVING)) {
            Seen seen = before.get(entry.value().requestId());
            Progress progress = entry.value().progress();
            boolean isSame = seen != null && seen.progress().equals(progress);
            now.put(entry.value().requestId(), isSame ? seen : new Seen(progress, time.nanos()));
        }
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
