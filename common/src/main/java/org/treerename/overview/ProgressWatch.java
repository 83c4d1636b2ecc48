package org.treerename.overview;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.runtime.Time;

/**
 * Observes the renames in progress, and computes the recent rate of each rename in documents per second. This class
 * uses a local monotonic clock. Only one thread may call this class. Each read may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public final class ProgressWatch {

    /** The states of the renames in progress: waiting, moving, parked, or done but not yet closed. */
    public static final Set<State> UNDER_WAY = Set.of(State.PREPARED, State.MOVING, State.DONE, State.PARKED);

    private final Overview overview;
    private final Time time;
    private final MoveRates rates = new MoveRates();

    public ProgressWatch(Overview overview, Time time) {
        this.overview = overview;
        this.time = time;
    }

    /**
     * Reads the first page of the renames in progress, the oldest request first.
     *
     * @param namespace the namespace; null for all namespaces
     * @param most the largest number of renames, 1 to {@value JournalSearch#LARGEST_PAGE}
     */
    public List<UnderWay> read(@Nullable String namespace, int most) {
        return read(Filter.ALL.in(UNDER_WAY).of(namespace), null, most).renames();
    }

    /** A page of renames in progress. {@link JournalSearch.Page} describes {@code next}. */
    public record Page(List<UnderWay> renames, @Nullable LockPriority next) {
        public Page {
            renames = List.copyOf(renames);
        }
    }

    /**
     * Reads one page of renames, the oldest request first. A rename has a rate only if the previous read also contained
     * the rename.
     *
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of renames, 1 to {@value JournalSearch#LARGEST_PAGE}
     */
    public Page read(Filter filter, @Nullable LockPriority after, int most) {
        Overview.Renames found = overview.renames(filter, Order.OLDEST_FIRST, after, most);
        return new Page(withRates(found.renames()), found.next());
    }

    /**
     * Reads one rename; returns empty if the journal has no entry of this rename. The rename has a rate only if the
     * previous read also contained the rename.
     */
    public Optional<UnderWay> readOne(String requestId) {
        return overview.rename(requestId).map(found -> withRates(List.of(found)).getFirst());
    }

    private List<UnderWay> withRates(List<OwnedEntry> renames) {
        Map<String, Long> moved = new HashMap<>();
        renames.stream()
                .map(OwnedEntry::entry)
                .forEach(entry -> moved.put(entry.requestId(), entry.progress().moved()));
        Map<String, OptionalDouble> perSecond = rates.read(moved, time.nanos());
        return renames.stream()
                .map(rename -> new UnderWay(
                        rename, perSecond.getOrDefault(rename.entry().requestId(), OptionalDouble.empty())))
                .toList();
    }
}
