package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A journal whose first read is answered by a copy that is cut off, which still shows what once stood there. */
final class StaleJournal implements Journal {

    private final Journal journal;
    private final Optional<Versioned<JournalEntry>> stale;
    private boolean answered;

    StaleJournal(Journal journal, Versioned<JournalEntry> stale) {
        this(journal, Optional.of(stale));
    }

    StaleJournal(Journal journal, Optional<Versioned<JournalEntry>> stale) {
        this.journal = journal;
        this.stale = stale;
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        return journal.prepare(attempt);
    }

    @Override
    public WriteResult create(JournalEntry entry) {
        return journal.create(entry);
    }

    @Override
    public WriteResult write(JournalEntry entry, Version seen) {
        return journal.write(entry, seen);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        if (answered) {
            return journal.read(requestId);
        }
        answered = true;
        return stale;
    }

    @Override
    public List<String> in(Set<State> states) {
        return journal.in(states);
    }

    @Override
    public WriteResult delete(String requestId, Version seen) {
        return journal.delete(requestId, seen);
    }
}
