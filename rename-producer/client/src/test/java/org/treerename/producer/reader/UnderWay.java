package org.treerename.producer.reader;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Decision;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.tree.Document;

/**
 * Controls the renames and writers of a namespace step by step. Each rename and each writer can act between two steps
 * of a reader.
 */
public final class UnderWay implements PointsInTime {

    public final Namespace namespace;
    public final List<PointInTime> opened = new ArrayList<>();

    /**
     * The actions of other processes, by the step after which they run:
     *
     * <ul>
     *   <li>{@code locks N}: the n-th read of lock tables; {@code entries N}: the n-th read of journal entries;
     *   <li>{@code table ID}: each read of one lock table;
     *   <li>{@code open N}: the n-th opening of a point in time; {@code open}: each opening;
     *   <li>{@code search}: a search without a point in time.
     * </ul>
     */
    public final Map<String, Runnable> then = new HashMap<>();

    private final LockStore locks;
    private final Journal journal;
    private final PointsInTime points;
    private int readings;
    private int entries;

    public UnderWay(Namespace namespace, LockStore locks, Journal journal, PointsInTime points) {
        this.namespace = namespace;
        this.locks = locks;
        this.journal = journal;
        this.points = points;
    }

    /** Returns an instance with stores in memory. The tree contains no documents. */
    static UnderWay inMemory(Namespace namespace) {
        InMemoryControlIndex control = new InMemoryControlIndex();
        InMemoryLockStore locks = new InMemoryLockStore(control);
        return new UnderWay(namespace, locks, new InMemoryJournal(control, locks), new PointsInTime() {
            @Override
            public PointInTime open(Namespace of, boolean isRefreshed) {
                return new InMemoryPointInTime(of, List.of(), 10);
            }

            @Override
            public PointInTime latest(Namespace of, boolean isRefreshed) {
                return open(of, isRefreshed);
            }

            @Override
            public PointInTime opened(Namespace of, String id) {
                throw new UnsupportedOperationException("no view is opened again");
            }
        });
    }

    /** Returns the views of a reader. The actions of {@link #then} run between the steps of the reader. */
    public TreeViews views() {
        return new TreeViews(locks(), journal(), this, ManualTime.startingAt("2026-01-01T00:00:00Z"));
    }

    /** Returns the journal for the reader. The actions of {@link #then} run after the reads of this journal. */
    private Journal journal() {
        return new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
                List<Versioned<JournalEntry>> read = journal.read(requestIds);
                act("entries " + ++entries);
                return read;
            }
        };
    }

    /** Returns the lock tables for the reader. The actions of {@link #then} run after the reads of these tables. */
    private LockStore locks() {
        return new LockStore() {
            @Override
            public void release(Collection<LockTable.Id> tables, Release release) {
                throw new UnsupportedOperationException("a reader releases nothing");
            }

            @Override
            public void releaseFromDocuments(String of, Release release) {
                throw new UnsupportedOperationException("a reader releases nothing");
            }

            @Override
            public List<LockTable> read(Collection<LockTable.Id> tables) {
                List<LockTable> read = new ArrayList<>();
                for (LockTable.Id table : tables) {
                    read.addAll(locks.read(List.of(table)));
                    act("table " + table);
                }
                act("locks " + ++readings);
                return read;
            }

            @Override
            public void each(Consumer<LockTable> look) {
                throw new UnsupportedOperationException("a reader searches no tables");
            }

            @Override
            public List<String> contradictions() {
                throw new UnsupportedOperationException("a reader checks no tables");
            }
        };
    }

    /** Returns the number of reads of lock tables. */
    int readings() {
        return readings;
    }

    private void act(String step) {
        Runnable action = then.get(step);
        if (action != null) {
            action.run();
        }
    }

    @Override
    public PointInTime open(Namespace of, boolean isRefreshed) {
        PointInTime point = points.open(of, isRefreshed);
        opened.add(point);
        act("open " + opened.size());
        act("open");
        return point;
    }

    @Override
    public PointInTime latest(Namespace of, boolean isRefreshed) {
        PointInTime latest = points.latest(of, isRefreshed);
        act("search");
        return latest;
    }

    @Override
    public PointInTime opened(Namespace of, String id) {
        return points.opened(of, id);
    }

    public void prepare(String id, String source, String destination) {
        JournalEntry entry = entry(
                id,
                new ParsedRequest.RenameRequest(id, namespace.name(), source, destination, OnExisting.FAIL, null),
                State.PREPARED,
                null,
                null);
        LockSet set = LockPolicy.of(namespace).ofRename(namespace.name(), path(source), path(destination));
        attempt(entry, set);
    }

    private void attempt(JournalEntry entry, LockSet set) {
        Hold hold = new Hold("hold of " + entry.requestId(), "worker", new LockPriority(0, entry.requestId()));
        boolean isTaken = journal.prepare(new Attempt(JournalStep.ATTEMPT, entry, null, null, hold, set))
                .taken();
        if (!isTaken) {
            throw new IllegalStateException(entry.requestId() + " is refused");
        }
    }

    private TreePath path(String text) {
        return namespace.notation().path(text);
    }

    public void commit(String id, Document.Ref... replaced) {
        become(id, State.MOVING, new Decision(Instant.EPOCH, "worker", Map.of(), List.of(replaced)));
    }

    public void become(String id, State state) {
        become(id, state, journal.read(id).orElseThrow().value().decided().orElse(null));
    }

    private void become(String id, State state, @Nullable Decision decision) {
        var seen = journal.read(id).orElseThrow();
        JournalEntry before = seen.value();
        JournalEntry next = TestEntry.like(before).in(state).decision(decision).build();
        journal.write(JournalStep.NO_OP, next, seen.version());
    }

    public void release(String id) {
        JournalEntry entry = journal.read(id).orElseThrow().value();
        ParsedRequest.RenameRequest asked = entry.request();
        WriteTarget writeTarget = entry.writeTarget();
        LockSet set = asked == null
                ? Objects.requireNonNull(writeTarget)
                        .lockSet(LockPolicy.of(namespace))
                        .orElseThrow()
                : asked.lockSet(LockPolicy.of(namespace)).orElseThrow();
        locks.release(set, Release.ofRequest(id, Set.of("hold of " + id)));
    }

    /** Runs the last steps of a committed rename: ends the rename, releases its locks, and closes its entry. */
    public void finish(String id) {
        become(id, State.DONE);
        release(id);
        become(id, State.CLOSED);
    }

    /**
     * Sends the first prepare request of an ended rename again. The journal refuses the entry, but the locks are
     * granted.
     */
    public void repeat(String id) {
        repeat(id, "hold of " + id);
    }

    /** Sends another prepare request of an ended rename, with this hold id. */
    public void repeat(String id, String holdId) {
        JournalEntry ended = journal.read(id).orElseThrow().value();
        ParsedRequest.RenameRequest asked = Objects.requireNonNull(ended.request());
        Hold hold = new Hold(holdId, "worker", new LockPriority(0, id));
        LockSet set = asked.lockSet(LockPolicy.of(namespace)).orElseThrow();
        journal.prepare(
                new Attempt(JournalStep.ATTEMPT, entry(id, asked, State.PREPARED, null, null), null, null, hold, set));
        if (locks.read(set.parts().keySet()).stream().noneMatch(table -> table.isHeldBy(hold.holdId()))) {
            throw new IllegalStateException("the late request of " + id + " got no lock");
        }
    }

    public void rename(String id, String source, String destination) {
        prepare(id, source, destination);
        commit(id);
        finish(id);
    }

    public void write(String id, String directory) {
        WriteTarget writeTarget = new WriteTarget(namespace.name(), List.of(directory));
        attempt(
                TestEntry.of(id, writeTarget)
                        .owner("worker", 1, "hold of " + id)
                        .build(),
                LockPolicy.of(namespace).ofWriter(namespace.name(), List.of(path(directory))));
    }

    private static JournalEntry entry(
            String id,
            ParsedRequest.@Nullable RenameRequest asked,
            State state,
            @Nullable Decision decision,
            @Nullable Version decidedIn) {
        return (asked == null ? TestEntry.of(id) : TestEntry.of(asked))
                .in(state)
                .owner("worker", 1, "hold of " + id)
                .decision(decision)
                .decidedIn(decidedIn)
                .build();
    }
}
