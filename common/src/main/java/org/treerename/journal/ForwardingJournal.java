package org.treerename.journal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A journal that forwards each call to another journal. */
public interface ForwardingJournal extends Journal {

    Journal journal();

    @Override
    default Prepared prepare(Attempt attempt) {
        return journal().prepare(attempt);
    }

    @Override
    default WriteResult create(JournalStep step, JournalEntry entry) {
        return journal().create(step, entry);
    }

    @Override
    default WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return journal().write(step, entry, seen);
    }

    @Override
    default List<String> in(Set<State> states) {
        return journal().in(states);
    }

    @Override
    default List<String> in(Set<State> states, Set<String> owners) {
        return journal().in(states, owners);
    }

    @Override
    default Set<String> owners(Set<State> states) {
        return journal().owners(states);
    }

    @Override
    default List<Versioned<JournalEntry>> olderThan(
            State state, Instant limit, @Nullable LockPriority after, int maxCount) {
        return journal().olderThan(state, limit, after, maxCount);
    }

    @Override
    default int delete(List<Versioned<JournalEntry>> seen) {
        return journal().delete(seen);
    }

    @Override
    default Optional<Versioned<JournalEntry>> read(String requestId) {
        return journal().read(requestId);
    }

    @Override
    default List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return journal().read(requestIds);
    }

    @Override
    default Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return journal().readForCertain(requestId);
    }
}
