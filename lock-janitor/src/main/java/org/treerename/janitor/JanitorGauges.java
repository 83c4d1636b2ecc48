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
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.runtime.Health;
import org.treerename.runtime.Time;
import org.treerename.service.Host;
import org.treerename.store.Versioned;

/**
 * Reports the readiness of a janitor and the metrics of the journal. Only one thread at a time updates the metrics. Any
 * thread may read them.
 */
final class JanitorGauges {

    /**
     * The time without progress after which the metrics count a rename as stalled. The move of one page of documents
     * takes much less time. The default of {@code --lock-wait} is shorter as well.
     */
    static final Duration STALLED_AFTER = Duration.ofMinutes(5);

    /**
     * The time between two reads of the journal. Each read needs several searches, and a precision of minutes is
     * sufficient for the metrics.
     */
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);

    /** The maximum number of measured renames in MOVING, and of those in all the states {@link #OTHERS}. */
    private static final int WATCHED = 1_000;

    /** Renames in these states wait for locks, or have ended and are not closed. */
    private static final Set<State> OTHERS =
            EnumSet.of(State.PREPARED, State.DONE, State.REJECTED, State.FAILED, State.CANCELLED);

    /** The maximum number of entries in one state that are read to find an entry that is not a placeholder. */
    private static final int WAITING = 10;

    /** The maximum time by which the request time of an entry may be in the future, because clocks differ. */
    private static final Duration AHEAD = Duration.ofDays(1);

    /**
     * The progress of a rename. A process that retries without success writes the journal entry too, but does not
     * change this value.
     */
    private record Mark(State state, long epoch, Progress progress) {

        static Mark of(JournalEntry entry) {
            return new Mark(entry.state(), entry.ownership().epoch(), entry.progress());
        }
    }

    /** The progress of a rename, and the time at which this janitor first read this progress. */
    private record Seen(Mark mark, long sinceNanos) {}

    private final Journal journal;
    private final Time time;
    private final Health health;
    private Map<String, Seen> open = Map.of();
    private @Nullable Long lastReadNanos;
    private volatile int openEntries;
    private volatile int parked;
    private volatile int stalled;
    private volatile @Nullable Instant waitingSince;

    private JanitorGauges(Journal journal, Host host) {
        this.journal = journal;
        this.time = host.time();
        this.health = host.observability().health();
    }

    /** Registers the metrics of a new janitor with the process. The process is ready after the first tick. */
    static JanitorGauges of(Host host, Journal journal) {
        JanitorGauges gauges = new JanitorGauges(journal, host);
        Meters meters = host.observability().meters();
        meters.show(Metric.OPEN, () -> gauges.openEntries);
        meters.show(Metric.PARKED, () -> gauges.parked);
        meters.show(Metric.OLDEST_WAITING, gauges::waitingSeconds);
        meters.show(Metric.STALLED, () -> gauges.stalled);
        return gauges;
    }

    /**
     * Updates the metrics, at most once per {@link #BETWEEN_LOOKS}. The janitor calls this method after each tick. If
     * Elasticsearch does not answer, the measurement of progress starts again. This is necessary, because no process
     * can write its progress while Elasticsearch does not answer.
     */
    void poll() {
        health.begun();
        if (lastReadNanos != null && time.nanos() - lastReadNanos < BETWEEN_LOOKS.toNanos()) {
            return;
        }
        lastReadNanos = time.nanos();
        Map<String, Seen> before = open;
        open = Map.of();
        stalled = 0;
        waitingSince = oldestWaiting().orElse(null);
        openEntries = journal.in(State.needingOwner()).size();
        parked = journal.in(EnumSet.of(State.PARKED)).size();
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

    private List<Versioned<JournalEntry>> oldest(State state, int limit) {
        return journal.olderThan(state, time.now().plus(AHEAD), limit);
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
