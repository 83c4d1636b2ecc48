package org.treerename.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Parking;
import org.treerename.rename.State;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Tells of attempts, commits and parkings. */
record TracedJournal(Journal journal, Spans spans) implements Journal {

    @Override
    public Prepared prepare(Attempt attempt) {
        return spans.told(Spans.ACQUIRE, span -> {
            Prepared prepared = journal.prepare(attempt);
            span.setAttribute(Attributes.TAKEN, prepared.taken());
            return prepared;
        });
    }

    @Override
    public WriteResult write(JournalEntry entry, Version seen) {
        spans.writing(entry);
        if (isCommit(entry)) {
            return spans.told(Spans.COMMIT, span -> journal.write(entry, seen));
        }
        WriteResult result = journal.write(entry, seen);
        Parking parking = entry.parking();
        if (entry.state() == State.PARKED && parking != null && result instanceof WriteResult.Written) {
            Span rename = Carried.span();
            rename.setAttribute(Attributes.STATUS, Attributes.PARKED);
            rename.setStatus(StatusCode.ERROR, parking.toString());
        }
        return result;
    }

    /** Only the write that decides does not know where it was decided. */
    private static boolean isCommit(JournalEntry entry) {
        return entry.state() == State.MOVING && entry.decidedIn() == null;
    }

    @Override
    public WriteResult create(JournalEntry entry) {
        return journal.create(entry);
    }

    @Override
    public List<String> in(Set<State> states) {
        return journal.in(states);
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, int most) {
        return journal.olderThan(state, limit, most);
    }

    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        return journal.delete(seen);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return journal.read(requestId);
    }

    @Override
    public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return journal.read(requestIds);
    }

    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return journal.readForCertain(requestId);
    }
}
