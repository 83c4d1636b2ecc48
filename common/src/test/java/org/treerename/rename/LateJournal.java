package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A journal whose first prepare gets no answer and takes effect when the next entry is read, or just before the next prepare. */
final class LateJournal implements Journal {

    private final Journal journal;
    private @Nullable Attempt late;
    private final boolean beforeRead;
    private boolean sent;

    private LateJournal(Journal journal, boolean beforeRead) {
        this.journal = journal;
        this.beforeRead = beforeRead;
    }

    static LateJournal beforeRead(Journal journal) {
        return new LateJournal(journal, true);
    }

    static LateJournal beforePrepare(Journal journal) {
        return new LateJournal(journal, false);
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        if (sent) {
            arrive();
            return journal.prepare(attempt);
        }
        sent = true;
        late = attempt;
        throw new NoAnswerException("the bulk comes later", null);
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
        if (beforeRead) {
            arrive();
        }
        return journal.read(requestId);
    }

    private void arrive() {
        Attempt arriving = late;
        late = null;
        if (arriving != null) {
            journal.prepare(arriving);
        }
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
