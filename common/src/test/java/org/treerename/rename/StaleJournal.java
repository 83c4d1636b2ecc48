package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A journal whose first read is answered by a copy that is cut off, which still shows what once stood there. */
final class StaleJournal implements Journal {

    private final Journal journal;
    private @Nullable Versioned<JournalEntry> stale;

    StaleJournal(Journal journal, Versioned<JournalEntry> stale) {
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
        Optional<Versioned<JournalEntry>> once = Optional.ofNullable(stale);
        stale = null;
        return once.or(() -> journal.read(requestId));
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
