package org.treerename.journal;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;

/**
 * A journal whose first prepare gets no answer. The prepare takes effect later: just before the next read, or just
 * before the second prepare.
 */
public final class LateJournal implements ForwardingJournal {

    /** The kind of call before which the late prepare takes effect. */
    public enum Before {
        READ,
        PREPARE
    }

    private final Journal journal;
    private final Before before;
    private @Nullable Attempt late;
    private boolean sent;

    public LateJournal(Journal journal, Before before) {
        this.journal = journal;
        this.before = before;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        if (sent) {
            arrive(Before.PREPARE);
            return journal.prepare(attempt);
        }
        sent = true;
        late = attempt;
        throw new NoAnswerException("the bulk comes later", null);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        arrive(Before.READ);
        return journal.read(requestId);
    }

    @Override
    public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        arrive(Before.READ);
        return journal.read(requestIds);
    }

    private void arrive(Before call) {
        Attempt arriving = late;
        if (arriving != null && call == before) {
            late = null;
            journal.prepare(arriving);
        }
    }
}
