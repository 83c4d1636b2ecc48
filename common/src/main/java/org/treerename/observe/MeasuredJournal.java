package org.treerename.observe;

import java.util.Optional;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Reports reads and writes of journal entries to {@link Observations}. */
record MeasuredJournal(Journal journal, Observations observations) implements ForwardingJournal {

    @Override
    public Prepared prepare(Attempt attempt) {
        observations.attempting(attempt.entry().requestId());
        Prepared prepared = journal.prepare(attempt);
        if (prepared.entry() instanceof WriteResult.Written) {
            observations.attempted(attempt, prepared.taken());
        }
        return prepared;
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return written(step, entry, journal.create(step, entry));
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return written(step, entry, journal.write(step, entry, seen));
    }

    private WriteResult written(JournalStep step, JournalEntry entry, WriteResult result) {
        if (result instanceof WriteResult.Written) {
            observations.wrote(step, entry);
        }
        return result;
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        Optional<Versioned<JournalEntry>> found = journal.read(requestId);
        found.ifPresent(entry -> observations.read(entry.value()));
        return found;
    }
}
