package org.treerename.journal;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.treerename.store.Versioned;

/**
 * A journal in which a cut-off node answers the next reads with planned, stale entries. Writes reach the other nodes.
 */
public final class StaleJournal implements ForwardingJournal {

    private final Journal journal;
    private final Deque<Optional<Versioned<JournalEntry>>> answers = new ArrayDeque<>();

    public StaleJournal(Journal journal) {
        this.journal = journal;
    }

    public StaleJournal(Journal journal, Versioned<JournalEntry> first) {
        this(journal);
        willShow(Optional.of(first));
    }

    @Override
    public Journal journal() {
        return journal;
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
    public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return requestIds.stream().flatMap(id -> read(id).stream()).toList();
    }
}
