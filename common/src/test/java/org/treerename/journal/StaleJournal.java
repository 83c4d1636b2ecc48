package org.treerename.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * A journal in which a cut-off node answers the next reads with planned, stale entries. Writes reach the other nodes.
 */
public final class StaleJournal implements Journal {

    private final Journal journal;
    private final Deque<Optional<Versioned<JournalEntry>>> answers = new ArrayDeque<>();

    public StaleJournal(Journal journal) {
        this.journal = journal;
    }

    public StaleJournal(Journal journal, Versioned<JournalEntry> first) {
        this(journal);
        willShow(Optional.of(first));
    }

    /** Plans the answer to the next read that has no planned answer yet. */
    public void willShow(Optional<Versioned<JournalEntry>> answer) {
        answers.add(answer);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return answers.isEmpty() ? journal.read(requestId) : answers.remove();
    }

    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return journal.readForCertain(requestId);
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        return journal.prepare(attempt);
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
