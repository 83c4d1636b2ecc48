package org.treerename.simulation.elasticsearch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores the journal entries of a run in the simulated control index. All methods send requests through a {@link Wire}.
 */
public final class SimulatedJournal implements Journal {

    private final Wire wire;
    private final Cluster cluster;

    public SimulatedJournal(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
    }

    /** Returns the document id of an entry. */
    public static String id(String requestId) {
        return "rename:" + requestId;
    }

    /** The scripts that an attempt runs on each lock table. Only tests use scripts other than {@link #RULE}. */
    public interface Script {

        /** The scripts that all processes use. */
        Script RULE = new Script() {};

        /**
         * Returns the table with the hold of an attempt. If the table refuses the attempt, but has room for a claim,
         * returns the table with the claim of the request.
         */
        default LockTable taken(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
            return table.taken(hold, wanted);
        }

        /** Returns the table without the hold of the previous attempt. */
        default LockTable withoutPrevious(LockTable table, Attempt attempt) {
            return table.released(Release.ofHold(Objects.requireNonNull(attempt.previousHoldId())));
        }
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        return prepare(attempt, Script.RULE);
    }

    /** Makes an attempt that runs these scripts. Only tests call this method. */
    public Prepared prepare(Attempt attempt, Script script) {
        return prepare(attempt, script, true);
    }

    /** Makes an attempt with a bulk request whose last item is the journal entry. Only tests call this method. */
    public Prepared prepareLocksFirst(Attempt attempt) {
        return prepare(attempt, Script.RULE, false);
    }

    private Prepared prepare(Attempt attempt, Script script, boolean isEntryFirst) {
        SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts =
                attempt.locks().parts();
        List<Request.Item> items = new ArrayList<>();
        items.add(entry(attempt));
        items.add(view -> new Expired(SimulatedWatermark.covers(view, cluster, attempt.entry())));
        if (attempt.previousHoldId() != null) {
            items.addAll(
                    SimulatedLockStore.items(cluster, parts.keySet(), table -> script.withoutPrevious(table, attempt)));
        }
        int before = items.size();
        parts.forEach((table, wanted) -> items.add(take(table, wanted, attempt.hold(), script)));
        if (!isEntryFirst) {
            Collections.rotate(items, -1);
        }
        Prepared prepared = wire.ask(new Request<>(
                () -> "prepares " + attempt.entry().requestId() + " in epoch "
                        + attempt.entry().ownership().epoch() + " with "
                        + attempt.hold().holdId(),
                items,
                results -> {
                    List<@Nullable Object> ordered = new ArrayList<>(results);
                    Collections.rotate(ordered, isEntryFirst ? 0 : 1);
                    return evaluated(attempt, ordered, ordered.subList(before, ordered.size()));
                }));
        if (prepared.entry() instanceof WriteResult.Written) {
            wire.processes(attempt.entry());
        }
        return prepared;
    }

    private Request.Item take(LockTable.Id id, SortedMap<TreePath, LockMode> wanted, Hold hold, Script script) {
        Request.Item take = view -> {
            SimulatedLockStore.Updated updated = SimulatedLockStore.update(
                    view,
                    cluster,
                    id,
                    found -> script.taken(found == null ? LockTable.empty(id) : found, hold, wanted));
            LockTable after = Objects.requireNonNull(updated.table());
            if (!after.isHeldBy(hold.holdId())) {
                view.refused(cluster.control(), after, hold, wanted);
            }
            return updated;
        };
        return take.orElse(null);
    }

    private record Expired(boolean isSo) {}

    private Request.Item entry(Attempt attempt) {
        String requestId = attempt.entry().requestId();
        Version seen = attempt.seen();
        return new Request.Item() {
            @Override
            public Object apply(View view) {
                boolean stays = false;
                view.takes(attempt.step());
                try {
                    Object result = seen == null
                            ? view.create(cluster.control(), id(requestId), attempt.entry())
                            : view.write(cluster.control(), id(requestId), seen, attempt.entry());
                    stays = !view.isUnacknowledged();
                    return result;
                } finally {
                    if (!stays) {
                        cluster.lostEntry(requestId);
                    }
                }
            }

            @Override
            public @Nullable Object turnedAway() {
                cluster.lostEntry(requestId);
                return Request.Item.super.turnedAway();
            }
        };
    }

    private static Prepared evaluated(Attempt attempt, List<@Nullable Object> results, List<@Nullable Object> answers) {
        Set<LockTable.Id> refused = new HashSet<>();
        int granted = 0;
        for (Object item : answers) {
            if (item instanceof SimulatedLockStore.Updated answer) {
                LockTable table = Objects.requireNonNull(answer.table());
                if (table.isHeldBy(attempt.hold().holdId())) {
                    granted++;
                } else {
                    refused.add(table.id());
                }
            }
        }
        boolean changed = results.stream()
                .anyMatch(result -> result instanceof SimulatedLockStore.Updated update && update.changed());
        WriteResult entry = (WriteResult) Objects.requireNonNull(results.getFirst());
        boolean expired = entry instanceof WriteResult.Written
                && results.stream().anyMatch(result -> result instanceof Expired found && found.isSo());
        return new Prepared(entry, refused, granted == answers.size(), expired, changed);
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return attachIfWritten(entry, wire.ask(Request.of(() -> "creates " + words(entry), view -> {
            view.takes(step);
            return view.create(cluster.control(), id(entry.requestId()), entry);
        })));
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return attachIfWritten(
                entry,
                wire.ask(Request.of(
                        () -> "writes " + words(entry) + " over " + seen.seqNo() + "/" + seen.primaryTerm(), view -> {
                            view.takes(step);
                            return view.write(cluster.control(), id(entry.requestId()), seen, entry);
                        })));
    }

    /** Writes an entry without a condition and without a journal step. The services do not call this method. */
    public WriteResult overwrite(JournalEntry entry) {
        return attachIfWritten(
                entry,
                wire.ask(Request.of(
                        () -> "overwrites " + words(entry),
                        view -> view.put(cluster.control(), id(entry.requestId()), entry))));
    }

    /** Writes an entry in a journal step, but without a condition. Only tests call this method. */
    public WriteResult overwrite(JournalStep step, JournalEntry entry) {
        return attachIfWritten(entry, wire.ask(Request.of(() -> "overwrites " + words(entry), view -> {
            view.takes(step);
            return view.put(cluster.control(), id(entry.requestId()), entry);
        })));
    }

    private WriteResult attachIfWritten(JournalEntry entry, WriteResult result) {
        if (result instanceof WriteResult.Written) {
            wire.processes(entry);
        }
        return result;
    }

    private static String words(JournalEntry entry) {
        return entry.requestId() + " " + entry.state() + " in epoch "
                + entry.ownership().epoch() + " of " + entry.ownership().processId();
    }

    @Override
    public List<String> in(Set<State> states) {
        return ids(entry -> states.contains(entry.state()));
    }

    @Override
    public List<String> in(Set<State> states, Set<String> owners) {
        return ids(entry -> states.contains(entry.state())
                && owners.contains(entry.ownership().processId()));
    }

    private List<String> ids(Predicate<JournalEntry> isWanted) {
        return search(
                entries -> entries.filter(isWanted).sorted(JournalEntry.BY_AGE).map(JournalEntry::requestId));
    }

    private List<String> search(Function<Stream<JournalEntry>, Stream<String>> matching) {
        return SimulatedProcessStore.search(wire, cluster, "entries", JournalEntry.class, matching);
    }

    @Override
    public Set<String> owners(Set<State> states) {
        // not Set.copyOf, whose order differs in each JVM
        return new HashSet<>(search(entries -> entries.filter(entry -> states.contains(entry.state()))
                .map(entry -> entry.ownership().processId())));
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, @Nullable LockPriority after, int most) {
        Predicate<JournalEntry> isWanted = entry -> entry.state() == state
                && entry.isOlderThan(limit)
                && (after == null || entry.age().compareTo(after) > 0);
        return read(ids(isWanted).stream().limit(most).toList());
    }

    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        return (int) seen.stream().filter(this::delete).count();
    }

    private boolean delete(Versioned<JournalEntry> seen) {
        String requestId = seen.value().requestId();
        WriteResult result = wire.ask(Request.of(
                () -> "deletes the entry of " + requestId,
                view -> view.delete(cluster.control(), id(requestId), seen.version())));
        return result instanceof WriteResult.Written;
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return wire.ask(Request.of(() -> "reads the entry of " + requestId, view -> read(view, requestId)));
    }

    /**
     * Refreshes the control index, and then reads an entry. A client that reaches only a cut-off node receives no
     * answer, because this node cannot refresh the index.
     */
    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return wire.ask(Request.of(() -> "refreshes the control index, and reads the entry of " + requestId, view -> {
            view.refresh(cluster.control());
            return read(view, requestId);
        }));
    }

    private Optional<Versioned<JournalEntry>> read(View view, String requestId) {
        return view.read(cluster.control(), id(requestId))
                .map(found -> new Versioned<>(((JournalEntry) found.value()).seenIn(found.version()), found.version()));
    }
}
