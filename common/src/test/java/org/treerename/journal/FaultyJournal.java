package org.treerename.journal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.store.Calls;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A journal whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyJournal(Journal journal, Calls calls) implements Journal {

    @Override
    public Prepared prepare(Attempt attempt) {
        return calls.write("journal.prepare", () -> journal.prepare(attempt));
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return calls.write("journal.create " + entry.state(), () -> journal.create(step, entry));
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return calls.write("journal.write " + entry.state(), () -> journal.write(step, entry, seen));
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return calls.read("journal.read", () -> journal.read(requestId));
    }

    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return calls.read("journal.readForCertain", () -> journal.readForCertain(requestId));
    }

    @Override
    public List<String> in(Set<State> states) {
        return calls.read("journal.in", () -> journal.in(states));
    }

    @Override
    public List<String> in(Set<State> states, Set<String> owners) {
        return calls.read("journal.in owners", () -> journal.in(states, owners));
    }

    @Override
    public Set<String> owners(Set<State> states) {
        return calls.read("journal.owners", () -> journal.owners(states));
    }

    @Override
    public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return calls.read("journal.read", () -> journal.read(requestIds));
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, @Nullable LockPriority after, int most) {
        return calls.read("journal.olderThan " + state, () -> journal.olderThan(state, limit, after, most));
    }

    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        return calls.write("journal.delete", () -> journal.delete(seen));
    }
}
