package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.lock.LockPriority;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.request.TraceContext;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;

/** The tests that every journal must pass: how it stores, finds and deletes entries. */
public abstract class JournalContract {

    private final String requestId = "request-" + UUID.randomUUID();

    protected abstract Journal journal();

    private JournalEntry prepared() {
        return JournalEntry.prepared(
                Deliveries.of(Deliveries.rename(requestId, "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));
    }

    private JournalEntry full(State state, RenameRequest request) {
        return TestEntry.of(request)
                .digest("9f86d081")
                .place(new RecordPosition("rename.requests", 7, 123_456_789_012L))
                .at(Instant.parse("2026-03-01T10:00:00.123Z"))
                .in(state)
                .owner("worker-1", 3, "h3")
                .waiting(new Waiting(2, "other", "/a is held exclusively by request other of process worker-2"))
                .progress(new Progress(1_000_000_000_000L, 5, 2, 7))
                .decision(new Decision(
                        Instant.parse("2026-03-01T10:00:01.123456Z"),
                        "worker-1",
                        Map.of("files-1", "uuid-1", "files-2", "uuid-2"),
                        List.of(
                                new Document.Ref("files-1", "d1", null, new Version(9, 1)),
                                new Document.Ref("files-2", "d2", "r", new Version(1L << 40, 3), 1L << 41))))
                .decidedIn(new Version(1L << 41, 4))
                .ending(new Ending(
                        Instant.parse("2026-03-01T10:00:02.999999999Z"), "{\"message\":\"ü\uD83D\uDE00 \\u0007\"}"))
                .parking(new Parking("2 documents cannot be moved", List.of("d3: 400 mapper_parsing", "d4: ü")))
                .noOps(42)
                .repeats(new Repeats(true, Instant.parse("2026-03-01T10:00:04.123Z")))
                .build();
    }

    private RenameRequest request(String source, String destination) {
        return new RenameRequest(requestId, "files", source, destination, OnExisting.REPLACE, "somebody \"quoted\"")
                .withVersion(1L << 42);
    }

    private Version created(JournalEntry entry) {
        return ((WriteResult.Written) journal().create(JournalStep.ATTEMPT, entry)).version();
    }

    @Test
    void an_entry_that_was_never_written_does_not_exist() {
        assertThat(journal().read(requestId)).isEmpty();
    }

    @Test
    void reads_several_entries_at_once_and_leaves_out_missing_entries() {
        Version version = created(prepared());
        JournalEntry second = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename(requestId + "-2", "files", "/a", "/b")),
                new Ownership("worker-1", 1, "h1"));
        Version ofSecond = created(second);

        assertThat(journal().read(List.of(requestId + "-none", requestId + "-2", requestId)))
                .containsExactlyInAnyOrder(new Versioned<>(prepared(), version), new Versioned<>(second, ofSecond));
        assertThat(journal().read(List.of())).isEmpty();
    }

    @Test
    void reads_an_entry_for_certain() {
        assertThat(journal().readForCertain(requestId)).isEmpty();
        Version version = created(prepared());
        assertThat(journal().readForCertain(requestId)).contains(new Versioned<>(prepared(), version));
    }

    @Test
    void a_created_entry_is_visible_at_once_in_the_version_of_its_write() {
        Version version = created(prepared());

        assertThat(journal().read(requestId)).contains(new Versioned<>(prepared(), version));
    }

    @Test
    void does_not_create_an_entry_that_exists() {
        Version version = created(prepared());

        WriteResult again = journal().create(JournalStep.NO_OP, prepared().withNoOp());

        assertThat(again).isEqualTo(new WriteResult.Conflict());
        assertThat(journal().read(requestId)).contains(new Versioned<>(prepared(), version));
    }

    @Test
    void a_write_on_the_current_version_takes_effect_and_returns_a_new_version() {
        Version first = created(prepared());

        WriteResult written = journal().write(JournalStep.NO_OP, prepared().withNoOp(), first);

        Version second = ((WriteResult.Written) written).version();
        assertThat(second).isNotEqualTo(first);
        assertThat(journal().read(requestId))
                .contains(new Versioned<>(prepared().withNoOp(), second));
    }

    @Test
    void a_write_of_equal_content_changes_the_version() {
        Version first = created(prepared());

        Version second = ((WriteResult.Written) journal().write(JournalStep.ATTEMPT, prepared(), first)).version();

        assertThat(journal().write(JournalStep.NO_OP, prepared().withNoOp(), first))
                .isEqualTo(new WriteResult.Conflict());
        assertThat(journal().read(requestId)).contains(new Versioned<>(prepared(), second));
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"MOVING", "REJECTED", "FAILED", "CANCELLED"})
    void a_read_of_a_decision_returns_its_version_and_later_writes_keep_it(State state) {
        Version decided = created(full(state, request("/a", "/b")).over(prepared()));

        JournalEntry read = journal().read(requestId).orElseThrow().value();
        journal().write(JournalStep.NO_OP, read.withNoOp(), decided);

        assertThat(read.decidedIn()).isEqualTo(decided);
        assertThat(journal().read(requestId).orElseThrow().value().decidedIn()).isEqualTo(decided);
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"PREPARED", "RETRY", "HELD", "PARKED", "DONE", "CLOSED"})
    void a_read_of_any_other_state_adds_no_version_of_the_decision(State state) {
        created(full(state, request("/a", "/b")).over(prepared()));

        assertThat(journal().read(requestId).orElseThrow().value().decidedIn()).isNull();
    }

    @Test
    void a_write_on_an_older_version_changes_nothing() {
        Version first = created(prepared());
        Version second = ((WriteResult.Written)
                        journal().write(JournalStep.NO_OP, prepared().withNoOp(), first))
                .version();

        WriteResult late = journal().write(JournalStep.RETRY, prepared().released(), first);

        assertThat(late).isEqualTo(new WriteResult.Conflict());
        assertThat(journal().read(requestId))
                .contains(new Versioned<>(prepared().withNoOp(), second));
    }

    @Test
    void a_write_on_a_missing_entry_changes_nothing() {
        WriteResult written = journal().write(JournalStep.ATTEMPT, prepared(), new Version(0, 1));

        assertThat(written).isEqualTo(new WriteResult.Conflict());
        assertThat(journal().read(requestId)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void every_field_is_read_as_it_was_written(State state) {
        JournalEntry entry = full(state, request("/a/\uD83D\uDE00\n\"\\", "/b"));

        created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry);
    }

    @Test
    void the_entry_of_a_writer_is_read_as_held_and_as_closed() {
        WriteTarget writeTarget = new WriteTarget("files", List.of("/a/\uD83D\uDE00\n\"\\", "/b"));
        JournalEntry held = new ExternalWriter(requestId, writeTarget, Instant.parse("2026-03-01T10:00:00.123Z"))
                .begun(new Ownership("writer-1", 1, "h1"));

        Version first = created(held);
        Optional<JournalEntry> asHeld = journal().read(requestId).map(Versioned::value);
        journal().write(JournalStep.CLOSE, held.closed(), first);

        assertThat(asHeld).contains(held);
        assertThat(journal().read(requestId).map(Versioned::value)).contains(held.closed());
    }

    @Test
    void a_request_with_invalid_paths_is_read_with_its_lone_surrogates() {
        JournalEntry entry = full(State.REJECTED, request("/a/\uD83D", "\uDE00 no path \0"));

        created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry);
    }

    @Test
    void the_replayed_request_id_is_read_as_it_was_written() {
        JournalEntry entry = full(State.MOVING, request("/a", "/b").replayedAs(requestId));

        created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry);
    }

    @Test
    void the_trace_of_a_request_is_read_as_it_was_written() {
        TraceContext trace = new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");
        JournalEntry entry = full(State.MOVING, request("/a", "/b").in(trace));

        created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry);
    }

    @Test
    void the_longest_texts_of_a_request_are_read_as_they_were_written() {
        String tooLong = "/" + "ü\uD83D\uDE00".repeat(40_000);
        RenameRequest request =
                new RenameRequest(requestId, "n".repeat(40_000), tooLong, tooLong, OnExisting.FAIL, "b".repeat(1_000));
        JournalEntry entry = full(State.REJECTED, request);

        created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry);
    }

    @Test
    void an_invalid_request_has_an_entry_without_a_request() {
        Delivery delivery = Deliveries.of(new InvalidRequest(requestId, "somebody", "source must be a string"));
        JournalEntry entry = JournalEntry.prepared(delivery, new Ownership("worker-1", 1, null))
                .ended(State.REJECTED, new Ending(Instant.parse("2026-03-01T10:00:02.999Z"), "{}"));

        Version version = created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry.seenIn(version));
        assertThat(entry.request()).isNull();
    }

    @Test
    void stores_an_entry_under_the_longest_request_id() {
        String longest = "ü".repeat(82) + UUID.randomUUID();
        JournalEntry entry = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename(longest, "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));

        created(entry);

        assertThat(journal().read(longest).map(Versioned::value)).contains(entry);
    }

    @Test
    void stores_entries_under_request_ids_that_look_like_ids_of_other_documents() {
        for (String id :
                List.of("lock:" + requestId, "../" + requestId, requestId + "/_doc?a=b#c%20", "rename:" + requestId)) {
            JournalEntry entry = JournalEntry.prepared(
                    Deliveries.of(Deliveries.rename(id, "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));

            created(entry);

            assertThat(journal().read(id).map(Versioned::value)).contains(entry);
        }
    }

    @Test
    void the_largest_outcome_is_read_as_it_was_written() {
        String path = "/" + "\u0001".repeat(TreePath.MAX_CODE_POINTS - 1);
        JournalEntry entry =
                prepared().ended(State.FAILED, new Ending(Instant.parse("2026-03-01T10:00:02Z"), path.repeat(20)));

        Version version = created(entry);

        assertThat(journal().read(requestId).map(Versioned::value)).contains(entry.seenIn(version));
    }

    private List<String> in(State... states) {
        return journal().in(Set.of(states)).stream()
                .filter(id -> id.startsWith(requestId))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void a_search_for_states_finds_only_entries_in_these_states(State state) {
        created(full(state, request("/a", "/b")));

        for (State asked : State.values()) {
            assertThat(in(asked))
                    .describedAs("entries in %s", asked)
                    .isEqualTo(asked == state ? List.of(requestId) : List.of());
        }
        assertThat(in(State.values())).containsExactly(requestId);
        assertThat(in()).isEmpty();
    }

    @Test
    void a_search_for_owners_finds_only_the_owners_of_entries_in_these_states() {
        String prepared = "worker-" + requestId;
        String released = "other-" + requestId;
        created(TestEntry.like(named("-1", 1)).owner(prepared, 1, "h").build());
        created(TestEntry.like(named("-2", 2)).owner(prepared, 1, "h").build());
        created(TestEntry.like(named("-3", 3))
                .owner(released, 1, null)
                .in(State.RETRY)
                .build());

        assertThat(journal().owners(Set.of(State.PREPARED, State.MOVING)))
                .contains(prepared)
                .doesNotContain(released);
        assertThat(journal().in(Set.of(State.PREPARED, State.RETRY), Set.of(prepared)))
                .containsExactly(requestId + "-1", requestId + "-2");
        assertThat(journal().in(Set.of(State.RETRY), Set.of(prepared))).isEmpty();
        assertThat(journal().in(Set.of(State.PREPARED), Set.of())).isEmpty();
    }

    @Test
    void a_search_shows_the_state_that_was_written_last() {
        Version version = created(prepared());
        assertThat(in(State.PREPARED)).containsExactly(requestId);

        journal().write(JournalStep.RETRY, prepared().released(), version);

        assertThat(in(State.PREPARED)).isEmpty();
        assertThat(in(State.RETRY)).containsExactly(requestId);
    }

    @Test
    void a_search_sorts_requests_by_their_time_and_then_by_their_id() {
        Map.of("-d", 10L, "-a", 30L, "-c", 20L, "-b", 20L).forEach((suffix, second) -> created(named(suffix, second)));

        assertThat(in(State.PREPARED))
                .containsExactly(requestId + "-d", requestId + "-b", requestId + "-c", requestId + "-a");
    }

    @Test
    void a_search_finds_a_placeholder() {
        JournalEntry placeholder =
                JournalEntry.placeholder(requestId, "janitor-1", Instant.parse("2026-03-01T10:00:00.123Z"));
        created(placeholder);

        assertThat(in(State.RETRY)).containsExactly(requestId);
        assertThat(journal().read(requestId).map(Versioned::value)).contains(placeholder);
    }

    @Test
    void deletes_an_entry_only_in_the_version_that_was_read() {
        Version first = created(prepared());
        Version second = ((WriteResult.Written)
                        journal().write(JournalStep.NO_OP, prepared().withNoOp(), first))
                .version();

        int late = delete(requestId, first);
        boolean there = journal().read(requestId).isPresent();
        int deleted = delete(requestId, second);

        assertThat(late).isZero();
        assertThat(there).isTrue();
        assertThat(deleted).isEqualTo(1);
        assertThat(journal().read(requestId)).isEmpty();
        assertThat(in(State.values())).isEmpty();
    }

    @Test
    void deletes_no_missing_entry() {
        int never = delete(requestId, new Version(0, 1));
        Version version = created(prepared());
        delete(requestId, version);

        assertThat(never).isZero();
        assertThat(delete(requestId, version)).isZero();
        assertThat(journal().write(JournalStep.ATTEMPT, prepared(), version)).isEqualTo(new WriteResult.Conflict());
    }

    @Test
    void an_entry_that_is_created_again_has_another_version_than_the_deleted_entry() {
        Version before = created(prepared());
        delete(requestId, before);
        Version again = created(prepared());

        assertThat(again).isNotEqualTo(before);
        assertThat(delete(requestId, before)).isZero();
        assertThat(journal().read(requestId)).contains(new Versioned<>(prepared(), again));
    }

    @Test
    void deletes_only_those_of_several_entries_that_are_in_the_version_read() {
        Version gone = created(named("-gone", 10));
        Version old = created(named("-touched", 10));
        Version kept = ((WriteResult.Written)
                        journal().write(JournalStep.NO_OP, named("-touched", 10).withNoOp(), old))
                .version();
        Version other = created(named("-other", 10));

        int deleted = journal()
                .delete(List.of(
                        new Versioned<>(named("-gone", 10), gone),
                        new Versioned<>(named("-touched", 10), old),
                        new Versioned<>(named("-never", 10), other)));

        assertThat(deleted).isEqualTo(1);
        assertThat(journal().read(requestId + "-gone")).isEmpty();
        assertThat(journal().read(requestId + "-touched"))
                .contains(new Versioned<>(named("-touched", 10).withNoOp(), kept));
        assertThat(journal().read(requestId + "-other")).isPresent();
        assertThat(journal().delete(List.of())).isZero();
    }

    private static final Instant LIMIT = Instant.parse("2001-01-01T00:00:00Z");

    private List<String> olderThan(State state, Instant limit) {
        return journal().olderThan(state, limit, 1_000).stream()
                .filter(found -> found.value().requestId().startsWith(requestId))
                .peek(found ->
                        assertThat(journal().read(found.value().requestId())).contains(found))
                .map(found -> found.value().requestId())
                .toList();
    }

    @Test
    void a_search_for_old_entries_finds_entries_whose_records_and_end_are_before_the_limit() {
        Instant before = LIMIT.minusMillis(1);
        created(aged("-record", LIMIT, null, null));
        created(aged("-end", before, null, LIMIT));
        created(aged("-repeat", before, LIMIT, before));
        created(aged("-old", before, before, before));
        created(aged("-unended", before, null, null));

        assertThat(olderThan(State.CLOSED, LIMIT))
                .containsExactlyInAnyOrder(requestId + "-old", requestId + "-unended");
        assertThat(olderThan(State.RETRY, LIMIT)).isEmpty();
        assertThat(olderThan(State.CLOSED, LIMIT.plusMillis(1))).hasSize(5);
        assertThat(olderThan(State.CLOSED, before)).isEmpty();
    }

    @Test
    void a_search_for_old_entries_returns_the_oldest_first_up_to_the_requested_number() {
        created(aged("-second", Instant.ofEpochSecond(2), null, null));
        created(aged("-first", Instant.ofEpochSecond(1), null, null));
        created(aged("-third", Instant.ofEpochSecond(3), null, null));

        assertThat(olderThan(State.CLOSED, LIMIT))
                .containsExactly(requestId + "-first", requestId + "-second", requestId + "-third");
        assertThat(journal().olderThan(State.CLOSED, LIMIT, 2)).hasSize(2);
    }

    @Test
    void a_page_of_old_entries_begins_after_the_last_entry_of_the_previous_page() {
        Instant same = Instant.ofEpochMilli(1_001);
        Stream.of("-b", "-a", "-c").forEach(suffix -> created(aged(suffix, same, null, null)));
        created(aged("-last", Instant.ofEpochMilli(1_002), null, null));
        LockPriority first = aged("-a", same, null, null).age();

        assertThat(journal().olderThan(State.CLOSED, LIMIT, first, 1_000).stream()
                        .map(found -> found.value().requestId())
                        .filter(id -> id.startsWith(requestId)))
                .containsExactly(requestId + "-b", requestId + "-c", requestId + "-last");
    }

    private JournalEntry aged(
            String suffix, Instant requestedAt, @Nullable Instant repeatedAt, @Nullable Instant finishedAt) {
        return TestEntry.like(named(suffix, 0))
                .at(requestedAt)
                .in(State.CLOSED)
                .ending(finishedAt == null ? null : new Ending(finishedAt, "{}"))
                .repeats(new Repeats(repeatedAt != null, repeatedAt))
                .build();
    }

    private JournalEntry named(String suffix, long second) {
        return JournalEntry.prepared(
                Deliveries.of(
                        Deliveries.rename(requestId + suffix, "files", "/a", "/b"), 0, Instant.ofEpochSecond(second)),
                new Ownership("worker-1", 1, "h"));
    }

    private int delete(String id, Version seen) {
        JournalEntry entry = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename(id, "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));
        return journal().delete(List.of(new Versioned<>(entry, seen)));
    }
}
