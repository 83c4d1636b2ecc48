package org.treerename.overview;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.rename.State;
import org.treerename.runtime.Time;

/**
 * Observes the renames in progress, and computes the recent speed of each rename on its own monotonic clock. Only one
 * thread calls this class. Each read may throw {@link org.treerename.store.NoAnswerException}.
 */
public final class ProgressWatch {

    /** The states of the renames in progress: they wait, move, or have moved and are not closed yet. */
    private static final Set<State> UNDER_WAY = EnumSet.of(State.PREPARED, State.MOVING, State.DONE, State.PARKED);

    /** The interval over which a rate is computed. */
    private static final Duration OF_LATE = Duration.ofSeconds(10);

    private static final double NANOS_PER_SECOND = 1e9;

    /** The number of moved documents at one time. */
    private record Reading(long moved, long nanos) {}

    private final Overview overview;
    private final Time time;
    private Map<String, Deque<Reading>> readings = new HashMap<>();

    public ProgressWatch(Overview overview, Time time) {
        this.overview = overview;
        this.time = time;
    }

    /**
     * Reads the renames in progress once, the oldest request first.
     *
     * @param namespace the namespace; null for all namespaces
     * @param most the largest number of renames, 1 to {@value JournalSearch#LARGEST_PAGE}
     */
    public List<UnderWay> read(@Nullable String namespace, int most) {
        return read(Filter.ALL.in(UNDER_WAY).of(namespace), null, most).renames();
    }

    /** A page of renames in progress; {@code next} as in {@link JournalSearch.Page}. */
    public record Page(List<UnderWay> renames, @Nullable LockPriority next) {
        public Page {
            renames = List.copyOf(renames);
        }
    }

    /**
     * Reads one page once, the oldest request first. A rename has a rate only if the previous read also contained it.
     *
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of renames, 1 to {@value JournalSearch#LARGEST_PAGE}
     */
    public Page read(Filter filter, @Nullable LockPriority after, int most) {
        Overview.Renames found = overview.renames(filter, Order.OLDEST_FIRST, after, most);
        long nowNanos = time.nanos();
        Map<String, Deque<Reading>> next = new HashMap<>();
        List<UnderWay> progress = found.renames().stream()
                .map(rename -> new UnderWay(rename, rate(rename, nowNanos, next)))
                .toList();
        readings = next;
        return new Page(progress, found.next());
    }

    private OptionalDouble rate(OwnedEntry rename, long nowNanos, Map<String, Deque<Reading>> next) {
        String id = rename.entry().requestId();
        Deque<Reading> seen = readings.getOrDefault(id, new ArrayDeque<>());
        next.put(id, seen);
        Reading now = new Reading(rename.entry().progress().moved(), nowNanos);
        if (!seen.isEmpty() && seen.getLast().moved() > now.moved()) {
            seen.clear();
        }
        // the oldest kept reading is at least as old as the interval of the rate
        while (seen.size() > 1 && nowNanos - secondOf(seen).nanos() >= OF_LATE.toNanos()) {
            seen.removeFirst();
        }
        seen.addLast(now);
        Reading first = seen.getFirst();
        long moved = now.moved() - first.moved();
        return moved == 0 || nowNanos == first.nanos()
                ? OptionalDouble.empty()
                : OptionalDouble.of(moved / ((nowNanos - first.nanos()) / NANOS_PER_SECOND));
    }

    private static Reading secondOf(Deque<Reading> seen) {
        var readings = seen.iterator();
        var unused = readings.next();
        return readings.next();
    }
}
