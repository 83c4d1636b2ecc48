package org.treerename.crash;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Reaches the points before and after each write of an entry. The kind of a write follows from the entry that this process last read or
 * wrote.
 */
final class CrashingJournal implements ForwardingJournal {

    /** The points around one write; null if there is no point. */
    private record Around(
            @Nullable CrashPoint before, @Nullable CrashPoint after) {
        static final Around NOTHING = new Around(null, null);
    }

    private final Journal journal;
    private final CrashPoints points;
    private final Map<String, JournalEntry> known = new ConcurrentHashMap<>();

    CrashingJournal(Journal journal, CrashPoints points) {
        this.journal = journal;
        this.points = points;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        points.reach(CrashPoint.BEFORE_PREPARE);
        Prepared prepared = journal.prepare(attempt);
        known.put(attempt.entry().requestId(), attempt.entry());
        points.reach(CrashPoint.AFTER_PREPARE);
        return prepared;
    }

    @Override
    public WriteResult write(JournalEntry entry, Version seen) {
        Around around = around(known.get(entry.requestId()), entry);
        if (around.before() != null) {
            points.reach(around.before());
        }
        WriteResult result = journal.write(entry, seen);
        if (result instanceof WriteResult.Written) {
            known.put(entry.requestId(), entry);
            if (around.after() != null) {
                points.reach(around.after());
            }
        }
        return result;
    }

    private static Around around(@Nullable JournalEntry last, JournalEntry next) {
        if (last == null) {
            return Around.NOTHING;
        }
        if (!last.ownership().processId().equals(next.ownership().processId())) {
            return new Around(null, CrashPoint.AFTER_TAKE_OVER);
        }
        State from = last.state();
        return switch (next.state()) {
            case PREPARED, HELD, PARKED -> Around.NOTHING;
            case RETRY -> from == State.RETRY ? Around.NOTHING : new Around(CrashPoint.BEFORE_RETRY, null);
            case MOVING ->
                from == State.PREPARED
                        ? new Around(CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT)
                        : aroundMove(last, next);
            case DONE, REJECTED, FAILED, CANCELLED ->
                from == next.state() ? Around.NOTHING : new Around(CrashPoint.BEFORE_DONE, CrashPoint.AFTER_DONE);
            case CLOSED ->
                from == State.CLOSED ? Around.NOTHING : new Around(CrashPoint.BEFORE_CLOSE, CrashPoint.AFTER_CLOSE);
        };
    }

    /** Returns no points around the write that records the end of the removals, because no scan is open then. */
    private static Around aroundMove(JournalEntry last, JournalEntry next) {
        boolean recordsRemovals =
                !Objects.equals(last.progress().unreplaced(), next.progress().unreplaced());
        return recordsRemovals ? Around.NOTHING : new Around(CrashPoint.BEFORE_PROGRESS, CrashPoint.AFTER_PROGRESS);
    }

    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        seen.forEach(entry -> known.remove(entry.value().requestId()));
        return journal.delete(seen);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        Optional<Versioned<JournalEntry>> found = journal.read(requestId);
        found.ifPresent(entry -> known.put(requestId, entry.value()));
        return found;
    }

    @Override
    public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        List<Versioned<JournalEntry>> found = journal.read(requestIds);
        found.forEach(entry -> known.put(entry.value().requestId(), entry.value()));
        return found;
    }
}
