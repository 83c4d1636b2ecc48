package org.treerename.overview;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.LockedPath.By;
import org.treerename.overview.LockedPath.Holder;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;

/**
 * Lists renames and locks, together with their journal entries and the states of their processes. A call sends several
 * requests, so the returned data may be from different moments. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public final class Overview {

    private final Journal journal;
    private final JournalSearch entries;
    private final LockSearch locks;
    private final CurrentRefusals refusals;
    private final ProcessStore processes;

    public Overview(Journal journal, JournalSearch entries, LockSearch locks, ProcessStore processes) {
        this.journal = journal;
        this.entries = entries;
        this.locks = locks;
        this.refusals = new CurrentRefusals(locks);
        this.processes = processes;
    }

    /** A page of renames and of writers' entries. {@link JournalSearch.Page} describes {@code next}. */
    public record Renames(
            List<OwnedEntry> renames, @Nullable LockPriority next) {
        public Renames {
            renames = List.copyOf(renames);
        }
    }

    /** A page of locks. {@link LockSearch.Page} describes {@code next}. */
    public record Locks(List<LockedPath> locks, LockSearch.@Nullable At next) {
        public Locks {
            locks = List.copyOf(locks);
        }
    }

    /** Returns the next page of renames. {@link JournalSearch#find} describes the parameters. */
    public Renames renames(Filter filter, Order order, @Nullable LockPriority after, int most) {
        JournalSearch.Page page = entries.find(filter, order, after, most);
        return new Renames(withOwners(page.entries()), page.next());
    }

    /** Returns the rename, or the entry of a writer, with this request id; empty if the journal has no entry. */
    public Optional<OwnedEntry> rename(String requestId) {
        return journal.readOfRequest(requestId)
                .map(found -> withOwners(List.of(found.value())).getFirst());
    }

    /** Returns each entry with its current refusal, and with the state of the process that owns the entry. */
    public List<OwnedEntry> withOwners(List<JournalEntry> of) {
        Map<String, Optional<ProcessState>> known = new HashMap<>();
        return refusals.addTo(of).stream()
                .map(entry -> new OwnedEntry(entry, state(entry.ownership().processId(), known)))
                .toList();
    }

    /** Returns the next page of locks. {@link LockSearch#find} describes the parameters. */
    public Locks locks(LockSearch.Filter filter, LockSearch.@Nullable At after, int most) {
        return locks(filter, after, most, Integer.MAX_VALUE);
    }

    /**
     * Returns the next page of locks, with a limit for the holds and claims of one path.
     *
     * @param mostOfEach the largest number of holds, and the largest number of claims, for one path. If there are more,
     *     only the oldest are returned
     */
    public Locks locks(LockSearch.Filter filter, LockSearch.@Nullable At after, int most, int mostOfEach) {
        LockSearch.Page page = locks.find(filter, after, most);
        List<PathLocks> shown =
                page.locks().stream().map(lock -> oldest(lock, mostOfEach)).toList();
        Map<String, JournalEntry> requests = requests(shown);
        Map<String, Optional<ProcessState>> known = new HashMap<>();
        List<LockedPath> paths = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            paths.add(new LockedPath(page.locks().get(i), holders(shown.get(i), requests, known)));
        }
        return new Locks(paths, page.next());
    }

    private static PathLocks oldest(PathLocks lock, int most) {
        return new PathLocks(
                lock.namespace(),
                lock.path(),
                oldest(lock.holds(), held -> held.hold().age(), most),
                oldest(lock.claims(), PathLocks.Claim::age, most));
    }

    private static <V> SortedMap<String, V> oldest(SortedMap<String, V> of, Function<V, LockPriority> age, int most) {
        SortedMap<String, V> oldest = new TreeMap<>();
        of.entrySet().stream()
                .sorted(Comparator.comparing(one -> age.apply(one.getValue())))
                .limit(most)
                .forEach(one -> oldest.put(one.getKey(), one.getValue()));
        return oldest;
    }

    private Map<String, JournalEntry> requests(List<PathLocks> of) {
        Set<String> ids = new LinkedHashSet<>();
        for (PathLocks lock : of) {
            lock.holds().values().forEach(held -> ids.add(held.hold().requestId()));
            ids.addAll(lock.claims().keySet());
        }
        Map<String, JournalEntry> found = new HashMap<>();
        journal.read(ids).forEach(entry -> found.put(entry.value().requestId(), entry.value()));
        return found;
    }

    private List<Holder> holders(
            PathLocks lock, Map<String, JournalEntry> requests, Map<String, Optional<ProcessState>> known) {
        List<Holder> holds = new ArrayList<>();
        lock.holds().forEach((holdId, held) -> {
            Hold hold = held.hold();
            JournalEntry entry = requests.get(hold.requestId());
            holds.add(new Holder(
                    By.HOLD,
                    held.mode(),
                    hold.requestId(),
                    holdId,
                    hold.processId(),
                    state(hold.processId(), known),
                    Instant.ofEpochMilli(hold.age().appendedAtMillis()),
                    entry == null ? null : entry.state(),
                    entry != null && entry.mayHold(hold)));
        });
        List<Holder> claims = new ArrayList<>();
        lock.claims().forEach((requestId, claim) -> {
            JournalEntry entry = requests.get(requestId);
            String processId = entry == null ? null : entry.ownership().processId();
            claims.add(new Holder(
                    By.CLAIM,
                    claim.mode(),
                    requestId,
                    null,
                    processId,
                    processId == null ? Optional.empty() : state(processId, known),
                    Instant.ofEpochMilli(claim.age().appendedAtMillis()),
                    entry == null ? null : entry.state(),
                    entry != null && entry.mayClaim()));
        });
        Comparator<Holder> oldestFirst = Comparator.comparing(Holder::askedAt).thenComparing(Holder::requestId);
        holds.sort(oldestFirst);
        claims.sort(oldestFirst);
        holds.addAll(claims);
        return holds;
    }

    private Optional<ProcessState> state(String processId, Map<String, Optional<ProcessState>> known) {
        return known.computeIfAbsent(
                processId,
                id -> processes
                        .read(new ProcessId(id))
                        .map(found -> found.value().state()));
    }
}
