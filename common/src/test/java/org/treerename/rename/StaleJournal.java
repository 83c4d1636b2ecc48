package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A journal whose first read is answered by a copy that was cut off when the entry was as given. */
final class StaleJournal implements Journal {

    private final Journal journal;
    private final Optional<Versioned<JournalEntry>> before;
    private int staleReads;

    StaleJournal(Journal journal, Optional<Versioned<JournalEntry>> before) {
        this.journal = journal;
        this.before = before;
    }

    int staleReads() {
        return staleReads;
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        if (staleReads > 0) {
            return journal.read(requestId);
        }
        staleReads++;
        return before;
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
    public List<String> in(Set<State> states) {
        return journal.in(states);
    }

    @Override
    public WriteResult delete(String requestId, Version seen) {
        return journal.delete(requestId, seen);
    }
}
