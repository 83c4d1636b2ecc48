package org.treerename.overview;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Ending;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;

/** Searches all entries of an {@link InMemoryJournal} without an index. */
public record InMemoryJournalSearch(InMemoryJournal journal) implements JournalSearch {

    @Override
    public Page find(Filter filter, Order order, @Nullable LockPriority after, int most) {
        int wanted = JournalSearch.requirePage(most);
        Comparator<LockPriority> ages =
                order == Order.OLDEST_FIRST ? Comparator.naturalOrder() : Comparator.reverseOrder();
        List<JournalEntry> found = new ArrayList<>(journal.entries().stream()
                .filter(entry -> applies(filter, entry))
                .filter(entry -> after == null || ages.compare(entry.age(), after) > 0)
                .sorted(Comparator.comparing(JournalEntry::age, ages))
                .limit(wanted)
                .toList());
        return new Page(found, found.size() < wanted ? null : found.getLast().age());
    }

    private static boolean applies(Filter filter, JournalEntry entry) {
        Instant since = filter.since();
        return filter.states().contains(entry.state())
                && (filter.namespace() == null
                        || filter.namespace().equals(entry.namespace().orElse(null)))
                && (filter.owner() == null
                        || filter.owner().equals(entry.ownership().processId()))
                && (since == null || !entry.requestedAt().isBefore(since))
                && filter.isOf(entry);
    }

    @Override
    public List<JournalEntry> endedSince(Instant since, int most) {
        return journal.entries().stream()
                .filter(entry -> !finishedAt(entry).isBefore(since))
                .sorted(Comparator.comparing(InMemoryJournalSearch::finishedAt).reversed())
                .limit(JournalSearch.requirePage(most))
                .toList();
    }

    /** Returns the time at which a rename ended. For an open rename, returns {@link Instant#MIN}. */
    private static Instant finishedAt(JournalEntry entry) {
        return entry.ended().map(Ending::finishedAt).orElse(Instant.MIN);
    }

    @Override
    public Map<String, Long> countByOwner(Set<State> states) {
        return journal.entries().stream()
                .filter(entry -> states.contains(entry.state()))
                .collect(Collectors.groupingBy(entry -> entry.ownership().processId(), Collectors.counting()));
    }

    @Override
    public Map<State, Long> counted() {
        return journal.entries().stream().collect(Collectors.groupingBy(JournalEntry::state, Collectors.counting()));
    }
}
