package org.treerename.journal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * A journal whose first prepare gets no answer. The prepare takes effect later: just before the next read, or just
 * before the second prepare.
 */
public final class LateJournal implements Journal {

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
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return journal.create(step, entry);
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return journal.write(step, entry, seen);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        arrive(Before.READ);
        return journal.read(requestId);
    }

    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return journal.readForCertain(requestId);
    }

    private void arrive(Before call) {
        Attempt arriving = late;
        if (arriving != null && call == before) {
            late = null;
            journal.prepare(arriving);
        }
    }

    @Override
    public List<String> in(Set<State> states) {
        return journal.in(states);
    }

    @Override
    public List<String> in(Set<State> states, Set<String> owners) {
        return journal.in(states, owners);
    }

    @Override
    public Set<String> owners(Set<State> states) {
        return journal.owners(states);
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, @Nullable LockPriority after, int most) {
        return journal.olderThan(state, limit, after, most);
    }

    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        return journal.delete(seen);
    }
}
