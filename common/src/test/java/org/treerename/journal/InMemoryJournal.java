package org.treerename.journal;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores journal entries in an {@link InMemoryControlIndex}. As in a bulk, other calls may run between the writes of
 * one prepare.
 */
public final class InMemoryJournal implements Journal, ClosedRenames {

    private final InMemoryControlIndex control;
    private final InMemoryLockStore locks;

    public InMemoryJournal(InMemoryControlIndex control, InMemoryLockStore locks) {
        this.control = control;
        this.locks = locks;
    }

    private static String id(String requestId) {
        return "rename:" + requestId;
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        Version seen = attempt.seen();
        WriteResult entry =
                seen == null ? create(attempt.step(), attempt.entry()) : write(attempt.step(), attempt.entry(), seen);
        boolean expired = entry instanceof WriteResult.Written && InMemoryWatermark.covers(control, attempt.entry());
        String previousHoldId = attempt.previousHoldId();
        if (previousHoldId != null) {
            locks.release(attempt.locks().parts().keySet(), Release.ofHold(previousHoldId));
        }
        Set<LockTable.Id> refused = new HashSet<>();
        AtomicBoolean changed = new AtomicBoolean();
        attempt.locks().parts().forEach((table, wanted) -> {
            LockTable before = locks.read(List.of(table)).getFirst();
            LockTable after = locks.take(table, wanted, attempt.hold());
            if (!before.equals(after)) {
                changed.set(true);
            }
            if (!after.isHeldBy(attempt.hold().holdId())) {
                refused.add(table);
            }
        });
        return new Prepared(entry, refused, refused.isEmpty(), expired, changed.get());
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return control.create(id(entry.requestId()), entry);
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return control.write(id(entry.requestId()), seen, entry);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return control.read(id(requestId), JournalEntry.class)
                .map(found -> new Versioned<>(found.value().seenIn(found.version()), found.version()));
    }

    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return read(requestId);
    }

    @Override
    public List<String> in(Set<State> states) {
        return in(states, entry -> true);
    }

    @Override
    public List<String> in(Set<State> states, Set<String> owners) {
        return in(states, entry -> owners.contains(entry.ownership().processId()));
    }

    private List<String> in(Set<State> states, Predicate<JournalEntry> isWanted) {
        return entries().stream()
                .filter(entry -> states.contains(entry.state()) && isWanted.test(entry))
                .sorted(Comparator.comparing(JournalEntry::age))
                .map(JournalEntry::requestId)
                .toList();
    }

    @Override
    public Set<String> owners(Set<State> states) {
        return entries().stream()
                .filter(entry -> states.contains(entry.state()))
                .map(entry -> entry.ownership().processId())
                .collect(Collectors.toSet());
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, @Nullable LockPriority after, int most) {
        return entries().stream()
                .filter(entry -> entry.state() == state && entry.isOlderThan(limit))
                .filter(entry -> after == null || entry.age().compareTo(after) > 0)
                .sorted(JournalEntry.BY_AGE)
                .limit(most)
                .flatMap(entry -> read(entry.requestId()).stream())
                .toList();
    }

    @Override
    public List<JournalEntry> latest(String namespace, long least, int most) {
        return entries().stream()
                .filter(entry ->
                        entry.state() == State.CLOSED && entry.namespace().equals(Optional.of(namespace)))
                .filter(entry -> entry.progress().expected() >= least)
                .sorted(Comparator.comparing((JournalEntry entry) ->
                                entry.ended().map(Ending::finishedAt).orElse(Instant.MIN))
                        .reversed())
                .limit(most)
                .toList();
    }

    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        return (int) seen.stream()
                .map(entry -> control.delete(id(entry.value().requestId()), entry.version()))
                .filter(WriteResult.Written.class::isInstance)
                .count();
    }

    /** Returns every entry. Only tests need all entries at once. */
    public List<JournalEntry> entries() {
        return control.all(JournalEntry.class);
    }
}
