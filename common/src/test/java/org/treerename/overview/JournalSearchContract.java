package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.JournalSearch.Page;
import org.treerename.request.Status;

/** The tests that every {@link JournalSearch} must pass. */
public abstract class JournalSearchContract {

    /** The number of seconds in about thirty years. */
    private static final int LATE = 1_000_000_000;

    /** A namespace that only this test uses. */
    private final String namespace = "search-" + UUID.randomUUID();

    private final Filter here = Filter.ALL.of(namespace);

    protected abstract JournalSearch search();

    protected abstract Journal journal();

    private String id(String name) {
        return namespace + "-" + name;
    }

    private JournalEntry create(String name, String source, State state, int second) {
        JournalEntry entry = Entries.rename(id(name), namespace, source, state, second);
        journal().create(JournalStep.ATTEMPT, entry);
        return entry;
    }

    private List<String> found(Filter filter, Order order) {
        return search().find(filter, order, null, 100).entries().stream()
                .map(entry -> entry.requestId().substring(namespace.length() + 1))
                .toList();
    }

    @Test
    void returns_entries_oldest_or_newest_first_and_those_of_one_time_by_their_ids() {
        create("b", "/b", State.MOVING, 2);
        create("c", "/c", State.CLOSED, 1);
        create("a", "/a", State.RETRY, 2);

        assertThat(found(here, Order.OLDEST_FIRST)).containsExactly("c", "a", "b");
        assertThat(found(here, Order.NEWEST_FIRST)).containsExactly("b", "a", "c");
    }

    @Test
    void returns_an_entry_as_it_was_written() {
        JournalEntry entry = create("a", "/a \"quoted\"", State.PREPARED, 1);

        assertThat(search().find(here, Order.OLDEST_FIRST, null, 1).entries()).containsExactly(entry);
    }

    @Test
    void pages_follow_one_another_without_a_gap_in_both_orders() {
        for (int i = 0; i < 5; i++) {
            create("r" + i, "/" + i, State.CLOSED, i / 2);
        }

        for (Order order : Order.values()) {
            List<JournalEntry> all = new ArrayList<>();
            LockPriority after = null;
            do {
                Page page = search().find(here, order, after, 2);
                all.addAll(page.entries());
                after = page.next();
            } while (after != null);
            assertThat(all)
                    .extracting(entry -> entry.requestId().substring(namespace.length() + 1))
                    .containsExactlyElementsOf(
                            order == Order.OLDEST_FIRST
                                    ? List.of("r0", "r1", "r2", "r3", "r4")
                                    : List.of("r4", "r3", "r2", "r1", "r0"));
        }
    }

    @Test
    void after_the_last_page_nothing_follows() {
        create("a", "/a", State.CLOSED, 1);

        assertThat(search().find(here, Order.OLDEST_FIRST, null, 2).next()).isNull();
        assertThat(search().find(here.in(EnumSet.of(State.DONE)), Order.OLDEST_FIRST, null, 1))
                .isEqualTo(new Page(List.of(), null));
    }

    @Test
    void filters_by_state_process_and_time() {
        create("old", "/a", State.MOVING, 1);
        create("new", "/b", State.MOVING, 9);
        create("closed", "/c", State.CLOSED, 9);
        journal()
                .create(
                        JournalStep.ATTEMPT,
                        Entries.rename(id("other"), namespace, "/d", State.MOVING, 9, id("worker")));

        assertThat(found(here.in(EnumSet.of(State.MOVING)), Order.OLDEST_FIRST)).containsExactly("old", "new", "other");
        assertThat(found(here.since(Entries.ASKED.plusSeconds(9)), Order.OLDEST_FIRST))
                .containsExactly("closed", "new", "other");
        assertThat(found(here.ownedBy(id("worker")), Order.OLDEST_FIRST)).containsExactly("other");
        assertThat(search().find(Filter.ALL.of(namespace + "-not"), Order.OLDEST_FIRST, null, 1)
                        .entries())
                .isEmpty();
    }

    @Test
    void searches_a_plain_text_in_ids_paths_directories_and_requesters() {
        create("one", "/Data/*x", State.CLOSED, 1);
        create("two", "/data/x", State.CLOSED, 2);
        journal()
                .create(
                        JournalStep.ATTEMPT,
                        Entries.writer(id("three"), new WriteTarget(namespace, List.of("/a", "/DATA")), 3));

        assertThat(found(here.with("/data"), Order.OLDEST_FIRST)).containsExactly("one", "two", "three");
        assertThat(found(here.with("/*x"), Order.OLDEST_FIRST)).containsExactly("one");
        assertThat(found(here.with("ELSEWHERE"), Order.OLDEST_FIRST)).containsExactly("one", "two");
        assertThat(found(here.with("-TWO"), Order.OLDEST_FIRST)).containsExactly("two");
        assertThat(found(here.with("ANN"), Order.OLDEST_FIRST)).containsExactly("one", "two");
        assertThat(found(here.with("\" OR *"), Order.OLDEST_FIRST)).isEmpty();
    }

    @Test
    void filters_by_the_beginning_of_the_source_or_the_destination() {
        create("one", "/data/x", State.CLOSED, 1);
        create("two", "/Data/x", State.CLOSED, 2);
        journal()
                .create(
                        JournalStep.ATTEMPT,
                        Entries.writer(id("three"), new WriteTarget(namespace, List.of("/data")), 3));

        assertThat(found(here.beginningWith("/data"), Order.OLDEST_FIRST)).containsExactly("one");
        assertThat(found(here.beginningWith("data"), Order.OLDEST_FIRST)).isEmpty();
        assertThat(found(here.beginningWith("/elsewhere"), Order.OLDEST_FIRST)).containsExactly("one", "two");
    }

    @Test
    void returns_the_matches_of_a_text_page_by_page() {
        for (int i = 0; i < 4; i++) {
            create("r" + i, i % 2 == 0 ? "/even" : "/odd", State.CLOSED, i);
        }

        Page first = search().find(here.with("even"), Order.OLDEST_FIRST, null, 1);
        Page second = search().find(here.with("even"), Order.OLDEST_FIRST, first.next(), 1);

        assertThat(first.entries()).extracting(JournalEntry::requestId).containsExactly(id("r0"));
        assertThat(second.entries()).extracting(JournalEntry::requestId).containsExactly(id("r2"));
    }

    @Test
    void filters_by_the_status_of_the_outcome() {
        journal().create(JournalStep.END, Entries.ended(id("bad"), namespace, "failed", 1));
        journal().create(JournalStep.END, Entries.ended(id("good"), namespace, "completed", 2));
        create("open", "/a", State.MOVING, 3);

        assertThat(found(here.endedAs(Status.FAILED), Order.OLDEST_FIRST)).containsExactly("bad");
        assertThat(found(here.endedAs(Status.COMPLETED), Order.OLDEST_FIRST)).containsExactly("good");
    }

    @Test
    void returns_the_renames_that_ended_since_a_time_the_last_one_first() {
        // the index may contain renames of other tests, which all ended before LATE
        journal().create(JournalStep.END, Entries.ended(id("before"), namespace, "completed", LATE));
        journal().create(JournalStep.END, Entries.ended(id("first"), namespace, "failed", LATE + 1));
        journal().create(JournalStep.END, Entries.ended(id("last"), namespace, "completed", LATE + 2));
        create("open", "/a", State.MOVING, LATE + 3);

        Instant since = Entries.ASKED.plusSeconds(LATE + 1);
        assertThat(search().endedSince(since, 100))
                .extracting(JournalEntry::requestId)
                .containsExactly(id("last"), id("first"));
        assertThat(search().endedSince(since, 1))
                .extracting(JournalEntry::requestId)
                .containsExactly(id("last"));
    }

    @Test
    void counts_the_entries_of_each_process_by_state() {
        String worker = id("worker");
        journal().create(JournalStep.ATTEMPT, Entries.rename(id("1"), namespace, "/a", State.MOVING, 1, worker));
        journal().create(JournalStep.ATTEMPT, Entries.rename(id("2"), namespace, "/b", State.PREPARED, 1, worker));
        journal().create(JournalStep.ATTEMPT, Entries.rename(id("3"), namespace, "/c", State.CLOSED, 1, worker));

        Map<String, Long> owned = search().countByOwner(State.needingOwner());

        assertThat(owned).containsEntry(worker, 2L);
        assertThat(search().countByOwner(Set.of(State.RETRY))).doesNotContainKey(worker);
    }

    @Test
    void counts_entries_by_their_state() {
        Map<State, Long> before = search().counted();
        journal().create(JournalStep.ATTEMPT, Entries.rename(id("1"), namespace, "/a", State.PARKED, 1));
        journal().create(JournalStep.ATTEMPT, Entries.rename(id("2"), namespace, "/b", State.PARKED, 2));
        journal().create(JournalStep.ATTEMPT, Entries.rename(id("3"), namespace, "/c", State.CLOSED, 3));

        Map<State, Long> after = search().counted();

        assertThat(after.get(State.PARKED)).isEqualTo(before.getOrDefault(State.PARKED, 0L) + 2);
        assertThat(after.get(State.CLOSED)).isEqualTo(before.getOrDefault(State.CLOSED, 0L) + 1);
    }

    @Test
    void refuses_an_empty_and_a_too_large_page() {
        assertThatThrownBy(() -> search().find(here, Order.OLDEST_FIRST, null, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> search().find(here, Order.OLDEST_FIRST, null, 1_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1001");
    }
}
