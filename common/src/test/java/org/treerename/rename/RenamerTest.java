package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.path.Path;
import org.treerename.rename.Asked.InvalidRequest;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.JournalEntry.Repeats;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.wire.JsonOutcomeCodec;

class RenamerTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Answer.Published published(String requestId) {
        return new Answer.Published(world.outcomes.of(requestId).getFirst());
    }

    private void assertRejected(Asked.RenameRequest request, Reason reason) {
        Map<String, String> before = world.paths();

        Answer answer = world.renamer().run(Deliveries.of(request));

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.outcome("r1"))
                .returns(Status.REJECTED, Outcome::status)
                .returns(reason, Outcome::reason)
                .returns(0L, Outcome::moved)
                .returns(null, Outcome::committedAt);
        assertThat(world.paths()).isEqualTo(before);
        world.assertQuiet();
    }

    @Test
    void a_directory_moves_with_everything_below_it_and_nothing_else() {
        world.withTree();

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1"))
                .isEqualTo(new Outcome(
                        "r1",
                        Status.COMPLETED,
                        null,
                        "renamed /a to /b",
                        5,
                        "worker-1",
                        false,
                        null,
                        Deliveries.APPENDED,
                        world.time.now(),
                        world.time.now()));
        world.assertQuiet();
    }

    @Test
    void a_document_that_the_rename_does_not_cover_keeps_its_version() {
        world.withTree();
        var before = world.tree.document(World.INDEX, "ab").orElseThrow().ref();

        world.renamer().run(aToB);

        assertThat(world.tree.document(World.INDEX, "ab").orElseThrow().ref()).isEqualTo(before);
    }

    @Test
    void a_file_moves_alone_and_keeps_its_other_fields() {
        world.withTree();

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a/1", "/ad")));

        assertThat(world.tree.document(World.INDEX, "a1").orElseThrow().source())
                .isEqualTo(RawJson.of(
                        "{\"path\":\"/ad\",\"parent\":\"/\",\"name\":\"ad\",\"type\":\"file\",\"size\":1.10}"));
        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(1L, Outcome::moved);
        world.assertQuiet();
    }

    @Test
    void a_rename_to_where_it_stands_completes_and_writes_no_document() {
        world.withTree();
        var before = world.tree.document(World.INDEX, "a").orElseThrow();

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/a")));

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(0L, Outcome::moved);
        assertThat(world.tree.document(World.INDEX, "a")).contains(before);
        world.assertQuiet();
    }

    @Test
    void an_invalid_request_is_rejected() {
        Answer answer = world.renamer().run(Deliveries.of(new InvalidRequest("r1", "me", "source must be a string")));

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.outcome("r1"))
                .returns(Reason.INVALID_REQUEST, Outcome::reason)
                .returns("me", Outcome::requestedBy);
        world.assertQuiet();
    }

    @Test
    void an_unknown_namespace_is_rejected() {
        assertRejected(Deliveries.rename("r1", "nowhere", "/a", "/b"), Reason.UNKNOWN_NAMESPACE);
    }

    @Test
    void a_path_that_is_none_is_rejected() {
        assertRejected(Deliveries.rename("r1", "files", "a", "/b"), Reason.INVALID_PATH);
    }

    @Test
    void a_directory_does_not_move_into_itself() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/a", "/a/d/new"), Reason.INTO_ITSELF);
    }

    @Test
    void a_source_that_is_not_there_is_rejected() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/c", "/b"), Reason.SOURCE_NOT_FOUND);
    }

    @Test
    void nothing_moves_below_a_file() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/a", "/ab/a"), Reason.ANCESTOR_IS_A_FILE);
    }

    @Test
    void nothing_moves_below_a_directory_that_is_not_there() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/a", "/c/a"), Reason.DESTINATION_PARENT_NOT_FOUND);
    }

    @Test
    void an_existing_destination_is_left_alone() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/a", "/ab"), Reason.DESTINATION_EXISTS);
    }

    @Test
    void a_file_does_not_replace_a_directory() {
        world.withTree();
        assertRejected(Deliveries.replace("r1", "files", "/ab", "/a/d"), Reason.IS_A_DIRECTORY);
    }

    @Test
    void a_directory_does_not_replace_a_file() {
        world.withTree();
        assertRejected(Deliveries.replace("r1", "files", "/a", "/ab"), Reason.NOT_A_DIRECTORY);
    }

    @Test
    void a_directory_does_not_replace_one_that_is_filled() {
        world.withTree();
        world.directory("b", "/b");
        assertRejected(Deliveries.replace("r1", "files", "/b", "/a"), Reason.DESTINATION_NOT_EMPTY);
    }

    @Test
    void a_file_replaces_a_file() {
        world.withTree();

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths())
                .isEqualTo(Map.of("a", "/a", "a1", "/ab", "a2", "/a/2", "ad", "/a/d", "ad1", "/a/d/1"));
        world.assertQuiet();
    }

    @Test
    void a_directory_replaces_an_empty_one() {
        world.withTree();
        world.directory("b", "/b");

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a", "/b")));

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void what_is_replaced_is_removed_although_an_outside_writer_edited_it_after_the_commit() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/ab")));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_only_a_read_shows_as_gone_is_removed_all_the_same() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/ab")));
        Stores dirty = world.stores(new DirtyTreeStore(new FaultyTreeStore(world.tree, world.calls)));

        new Renamer(dirty, new JsonOutcomeCodec(), world.carrier("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_one_search_alone_shows_as_gone_is_removed_all_the_same() {
        world.withTree();
        Stores blind = world.stores(new BlindTreeStore(world.tree, scan -> scan == 1, true));

        new Renamer(blind, new JsonOutcomeCodec(), world.carrier("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_was_to_be_replaced_and_has_been_moved_away_by_an_outside_writer_stays() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/saved")));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).containsEntry("ab", "/saved").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void a_rename_waits_until_the_locks_are_free() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(3), () -> world.otherEnds("/a/d", "/c"));

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").waiting())
                .returns("other", JournalEntry.Waiting::refusedBy)
                .returns("/a is held as shared by request other of process worker-9", JournalEntry.Waiting::refusal);
        world.assertQuiet();
    }

    @Test
    void a_rename_that_waited_too_long_fails_and_tells_who_held_the_lock() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.outcome("r1"))
                .returns(Status.FAILED, Outcome::status)
                .returns(Reason.LOCKED, Outcome::reason)
                .returns("waited 10 s: /a is held as shared by request other of process worker-9", Outcome::message);
        assertThat(world.entry("r1").waiting().refusal())
                .isEqualTo("/a is held as shared by request other of process worker-9");
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.otherEnds("/a/d", "/c");
        world.assertQuiet();
    }

    @Test
    void while_nobody_answers_no_rename_waits_too_long_for_a_lock() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        Instant gone = world.time.now().plusSeconds(5);
        Instant back = gone.plusSeconds(60);
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                Instant now = world.time.now();
                if (now.isAfter(gone) && now.isBefore(back)) {
                    throw new NoAnswerException("gone", null);
                }
            }
        });
        world.time.plan(Duration.ofSeconds(69), () -> world.otherEnds("/a/d", "/c"));

        world.renamer().run(aToB);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void while_it_waits_a_rename_holds_nothing_but_claims_what_refused_it() {
        world.withTree();
        world.heldByAnother("/c", "/b");
        world.time.plan(Duration.ofSeconds(1), () -> {
            assertThat(world.locks.read("files", new Path("/a"))).isEmpty();
            assertThat(world.locks.read("files", new Path("/b")).orElseThrow())
                    .satisfies(lock -> assertThat(lock.holds()).containsOnlyKeys("hold-of-other"))
                    .satisfies(lock -> assertThat(lock.claims()).containsOnlyKeys("r1"));
            world.otherEnds("/c", "/b");
        });

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        world.assertQuiet();
    }

    @Test
    void a_request_delivered_again_is_answered_with_the_same_bytes() {
        world.withTree();
        Answer first = world.renamer().run(aToB);
        world.time.advance(Duration.ofHours(1));

        Answer again = world.renamer("worker-2").run(aToB);

        assertThat(again).isEqualTo(first);
        assertThat(world.outcomes.log()).hasSize(2);
        assertThat(world.outcomes.of("r1")).hasSize(1);
        world.assertQuiet();
    }

    @Test
    void an_entry_keeps_the_last_place_of_each_partition_in_which_its_request_was_delivered_again() {
        world.withTree();
        world.renamer().run(aToB);
        Instant later = Deliveries.APPENDED.plusSeconds(9);

        world.renamer().run(Deliveries.again(aToB, 3, 7, Deliveries.APPENDED));
        world.renamer().run(Deliveries.again(aToB, 3, 5, later));
        world.renamer().run(Deliveries.again(aToB, 4, 1, Deliveries.APPENDED));
        world.renamer().run(aToB);

        Place in3 = new Place(aToB.place().topic(), 3, 7);
        Place in4 = new Place(aToB.place().topic(), 4, 1);
        assertThat(world.entry("r1").repeats()).isEqualTo(new Repeats(List.of(in3, in4), later));
        assertThat(world.entry("r1").places()).containsExactlyInAnyOrder(aToB.place(), in3, in4);
    }

    @Test
    void a_record_at_or_below_the_watermark_of_its_partition_is_rejected() {
        world.withTree();
        world.watermarks.create(aToB.place());

        assertRejected(Deliveries.rename("r1", "files", "/a", "/b"), Reason.EXPIRED);
    }

    private Delivery missing(String requestId, String source) {
        Delivery delivery = Deliveries.of(Deliveries.rename(requestId, "files", source, "/b"));
        return new Delivery(delivery.asked(), delivery.digest(), delivery.place(), delivery.appendedAt(), "r0");
    }

    @Test
    void one_whose_predecessor_is_missing_is_rejected_without_a_lock() {
        world.withTree().heldByAnother("/a", "/b");
        SortedMap<String, String> before = world.paths();

        world.renamer().run(missing("r1", "/a"));

        Outcome outcome = world.outcome("r1");
        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.reason()).isEqualTo(Reason.UNKNOWN_PREDECESSOR);
        assertThat(outcome.message()).isEqualTo("it is to come after r0, of which the journal knows nothing");
        assertThat(world.paths()).isEqualTo(before);
        world.otherEnds("/a", "/b");
        world.assertQuiet();
    }

    @Test
    void what_is_wrong_in_itself_and_that_it_has_expired_are_told_before_a_missing_predecessor() {
        world.withTree();
        world.renamer().run(missing("r1", "relative"));
        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.INVALID_PATH);

        world.watermarks.create(missing("r2", "/a").place());
        world.renamer().run(missing("r2", "/a"));
        assertThat(world.outcome("r2").reason()).isEqualTo(Reason.EXPIRED);
        world.assertQuiet();
    }

    @Test
    void what_has_ended_is_answered_from_the_journal_whoever_is_missing() {
        world.withTree();
        Delivery first = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
        Answer ended = world.renamer().run(first);

        assertThat(world.renamer("worker-2").run(missing("r1", "/a"))).isEqualTo(ended);
        assertThat(world.outcomes.of("r1")).hasSize(1);
    }

    @Test
    void an_entry_from_which_a_delivery_is_answered_is_written_first() {
        world.withTree();
        world.renamer().run(aToB);
        long touches = world.entry("r1").touches();

        world.renamer("worker-2").run(aToB);

        assertThat(world.entry("r1").touches()).isEqualTo(touches + 1);
    }

    @Test
    void a_rename_that_was_never_taken_over_ends_after_one_empty_pass_and_another_after_two() {
        world.withTree();
        world.renamer().run(aToB);
        long undisturbed = scans();
        world.calls.interfere(new Interference() {
            @Override
            public void after(Call call) {
                if (call.name().equals("journal.write MOVING")) {
                    throw new AssertionError("dead");
                }
            }
        });
        Delivery back = Deliveries.of(Deliveries.rename("r1b", "files", "/b", "/a"));
        assertThatThrownBy(() -> world.renamer().run(back)).hasMessage("dead");
        world.calls.interfere(Interference.none());
        long before = scans();

        var found = world.journal.read("r1b").orElseThrow();
        world.journal.write(TakenOver.by("worker-2", found.value()), found.version());
        Rename rename = new Rename("r1b", World.FILES, new Path("/b"), new Path("/a"), OnExisting.FAIL);
        OwnEntry own = new OwnEntry(
                world.journal,
                world.carrier("worker-2"),
                world.journal.read("r1b").orElseThrow());
        world.completion("worker-2").move(own, rename, List.of());

        assertThat(undisturbed).isEqualTo(2);
        assertThat(scans() - before).isEqualTo(4);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
    }

    @Test
    void a_move_without_an_answer_that_one_scan_alone_shows_as_done_is_done_again() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 1, RenamerTest::noAnswer));
        Stores blind = world.stores(
                new BlindTreeStore(new FaultyTreeStore(world.tree, world.calls), scan -> scan == 1, false));

        new Renamer(blind, new JsonOutcomeCodec(), world.carrier("worker-1"))
                .run(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c")));

        assertThat(world.paths()).containsEntry("ab", "/c");
        assertThat(world.outcome("r1")).returns(1L, Outcome::moved);
        world.assertQuiet();
    }

    @Test
    void a_move_without_an_answer_in_the_last_pass_that_one_scan_alone_shows_as_done_is_done_again() {
        world.withTree();
        world.calls.interfere(new Interference() {
            private int scans;
            private int moves;

            @Override
            public void before(Call call) {
                if (call.name().equals("tree.scan")) {
                    scans++;
                    if (scans <= 10) {
                        world.file("new-" + scans, "/ab/" + scans);
                    }
                } else if (call.name().equals("tree.move")) {
                    moves++;
                    if (moves == 11) {
                        noAnswer();
                    }
                }
            }
        });
        Stores blind = world.stores(
                new BlindTreeStore(new FaultyTreeStore(world.tree, world.calls), scan -> scan == 11, false));

        new Renamer(blind, new JsonOutcomeCodec(), world.carrier("worker-1"))
                .run(Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c")));

        assertThat(world.paths()).containsEntry("ab", "/c").containsEntry("new-10", "/c/10");
    }

    @Test
    void a_rename_that_its_process_has_dropped_and_picks_up_is_not_ended_by_one_scan_alone() {
        world.withTree();
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> {
            throw new IllegalStateException("the thread ends");
        }));
        Delivery delivery = Deliveries.of(Deliveries.rename("r1", "files", "/ab", "/c"));
        assertThatThrownBy(() -> world.renamer().run(delivery)).hasMessage("the thread ends");
        Stores blind = world.stores(new BlindTreeStore(world.tree, scan -> scan <= 2, false));

        new Renamer(blind, new JsonOutcomeCodec(), world.carrier("worker-1")).run(delivery);

        assertThat(world.paths()).containsEntry("ab", "/c");
        world.assertQuiet();
    }

    private static void noAnswer() {
        throw new NoAnswerException("no answer", null);
    }

    private long scans() {
        return world.calls.made().stream()
                .filter(call -> call.name().equals("tree.scan"))
                .count();
    }

    @Test
    void a_rejected_request_delivered_again_is_answered_with_the_same_bytes_although_it_would_go_now() {
        Answer first = world.renamer().run(aToB);
        world.withTree();
        world.time.advance(Duration.ofHours(1));

        Answer again = world.renamer().run(aToB);

        assertThat(again).isEqualTo(first);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
    }

    @Test
    void a_request_delivered_again_while_others_hold_its_locks_leaves_no_claim() {
        world.withTree();
        world.renamer().run(aToB);
        world.heldByAnother("/b", "/c");

        world.renamer().run(aToB);

        assertThat(world.locks.documents())
                .allSatisfy(lock -> assertThat(lock.claims()).isEmpty());
    }

    @Test
    void a_reused_id_while_others_hold_its_locks_leaves_no_claim() {
        world.withTree();
        world.renamer().run(aToB);
        world.heldByAnother("/b", "/c");

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/b", "/d")));

        assertThat(world.locks.documents())
                .allSatisfy(lock -> assertThat(lock.claims()).isEmpty());
    }

    @Test
    void a_request_id_of_another_request_is_told_as_reused_and_changes_nothing() {
        world.withTree();
        world.renamer().run(aToB);

        Answer answer = world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/b", "/c")));

        assertThat(answer).isEqualTo(new Answer.Reused());
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_request_that_another_process_carries_is_answered_when_that_one_has_ended_it() {
        world.withTree();
        world.heldByAnother("/x", "/y");
        Delivery othersRequest =
                Deliveries.of(Deliveries.rename("other", "files", "/x", "/y"), 0, Deliveries.APPENDED.minusSeconds(9));
        world.time.plan(Duration.ofSeconds(2), () -> world.otherEnds("/x", "/y"));

        Answer answer = world.renamer().run(othersRequest);

        assertThat(answer).isEqualTo(new Answer.Published("{\"of\":\"other\"}"));
        world.assertQuiet();
    }

    @Test
    void who_stops_while_waiting_gives_everything_back_and_the_next_delivery_completes() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(1), world.stop::request);

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1"))
                .returns(State.RETRY, JournalEntry::state)
                .satisfies(entry -> assertThat(entry.ownership().holdId()).isNull());
        assertThat(world.locks.documents())
                .allSatisfy(lock -> assertThat(lock.holds()).containsOnlyKeys("hold-of-other"))
                .allSatisfy(lock -> assertThat(lock.claims()).isEmpty());

        world.otherEnds("/a/d", "/c");
        Answer again = new Renamer(
                        world.stores(),
                        new JsonOutcomeCodec(),
                        new Carrier(
                                "worker-2",
                                world.time,
                                world.carrier("worker-2").backoffs(),
                                World.LOCK_WAIT,
                                10,
                                new StopSignal()))
                .run(aToB);
        assertThat(again).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void an_outside_writers_edit_between_the_scan_and_the_write_survives() {
        world.withTree();
        String edited = "{\"path\":\"/a/1\",\"parent\":\"/a\",\"name\":\"1\",\"type\":\"file\",\"size\":99}";
        world.calls.interfere(
                Interference.before("tree.move", 2, () -> world.tree.put(World.INDEX, "a1", null, edited)));

        world.renamer().run(aToB);

        assertThat(world.tree.document(World.INDEX, "a1").orElseThrow().source())
                .isEqualTo(RawJson.of(edited.replace("\"/a/1\"", "\"/b/1\"").replace("\"/a\"", "\"/b\"")));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1").moved()).isEqualTo(5);
        world.assertQuiet();
    }

    @Test
    void a_document_created_below_the_source_while_it_moves_moves_too() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 2, () -> world.file("late", "/a/late")));

        world.renamer().run(aToB);

        assertThat(world.paths()).containsEntry("late", "/b/late");
        assertThat(world.outcome("r1")).returns(6L, Outcome::moved).returns(null, Outcome::reason);
        world.assertQuiet();
    }

    @Test
    void documents_that_go_on_appearing_below_the_source_end_after_the_most_passes_with_a_remark() {
        world.withTree();
        world.calls.interfere(new Interference() {
            private int created;

            @Override
            public void before(Call call) {
                if (call.name().equals("tree.scan")) {
                    created++;
                    world.file("late" + created, "/a/late" + created);
                }
            }
        });

        world.renamer().run(aToB);

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(Reason.MAY_HAVE_LEFT, Outcome::reason);
        assertThat(world.entry("r1").progress().passes()).isEqualTo(10);
        world.assertQuiet();
    }

    @Test
    void a_document_that_the_store_will_never_take_parks_the_rename_with_its_locks() {
        world.withTree();
        TreeStore refusing = new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("ad1"));
        Renamer renamer = new Renamer(world.stores(refusing), new JsonOutcomeCodec(), world.carrier("worker-1"));

        Answer answer = renamer.run(aToB);

        assertThat(answer).isEqualTo(new Answer.Parked());
        assertThat(world.entry("r1"))
                .returns(State.PARKED, JournalEntry::state)
                .returns(
                        new JournalEntry.Parking(
                                "1 documents cannot be moved", List.of("ad1: 400 document_parsing_exception")),
                        JournalEntry::parking);
        assertThat(world.locks.documents())
                .extracting(LockDocument::path)
                .containsExactly(new Path("/a"), new Path("/b"));
        assertThat(world.outcomes.log()).isEmpty();
        assertThat(renamer.run(aToB)).isEqualTo(new Answer.Parked());
    }

    @Test
    void an_outage_of_more_tries_than_there_are_passes_is_none_of_them() {
        world.withTree();
        int[] left = {30};
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("tree.move") && left[0]-- > 0) {
                    throw new NoAnswerException("index [files-1] blocked by: [disk full]", null);
                }
            }
        });

        world.renamer().run(aToB);

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(null, Outcome::reason)
                .returns(5L, Outcome::moved);
        assertThat(world.entry("r1").progress().passes()).isLessThan(4);
        world.assertQuiet();
    }

    @Test
    void a_store_that_refuses_a_whole_page_parks_the_rename() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 2, () -> {
            throw new RefusedException("POST /_bulk answered 413");
        }));

        assertThat(world.renamer().run(aToB)).isEqualTo(new Answer.Parked());
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }

    @Test
    void a_store_that_refuses_the_removal_of_what_is_replaced_parks_the_rename() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> {
            throw new RefusedException("POST /_bulk answered 403");
        }));

        Answer answer = world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(answer).isEqualTo(new Answer.Parked());
        assertThat(world.paths()).containsEntry("ab", "/ab").containsEntry("a1", "/a/1");
    }

    @Test
    void a_prepare_that_is_refused_for_good_leaves_no_lock() {
        world.withTree();
        world.calls.interfere(Interference.after("journal.prepare", 1, () -> {
            throw new RefusedException("a write of rename:r1 ended with 400");
        }));

        try {
            world.renamer().run(aToB);
        } catch (RefusedException e) {
            assertThat(e).hasMessageContaining("400");
        }

        assertThat(world.locks.documents()).isEmpty();
    }

    @Test
    void an_index_that_was_made_again_since_the_commit_parks_who_rolls_forward() {
        world.withTree();
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> {
            world.tree.createIndex(World.INDEX);
            takeOver("worker-2");
        }));
        world.time.plan(Duration.ofMillis(50), () -> rollForward("worker-2"));

        assertThat(world.renamer().run(aToB)).isEqualTo(new Answer.Parked());
    }

    @Test
    void a_top_level_document_whose_parent_is_null_moves() {
        world.tree.put(World.INDEX, "a", null, "{\"path\":\"/a\",\"parent\":null,\"type\":\"file\"}");

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void a_document_whose_path_field_is_not_one_string_parks_the_rename() {
        world.withTree();
        world.tree.put(World.INDEX, "odd", null, "{\"path\":[\"/a/odd\"],\"parent\":\"/a\",\"name\":\"odd\"}");

        assertThat(world.renamer().run(aToB)).isEqualTo(new Answer.Parked());
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }

    @Test
    void a_late_hold_of_its_own_void_attempt_does_not_block_a_rename() {
        world.withTree();
        world.calls.interfere(new Interference() {
            private boolean late;

            @Override
            public void before(Call call) {
                if (call.name().equals("journal.prepare") && !late) {
                    late = true;
                    throw new NoAnswerException("the bulk comes later", null);
                }
                if (call.name().equals("journal.prepare")) {
                    world.locks.take(
                            "files", new Path("/b"), LockMode.EXCLUSIVE, new Hold("late", "worker-1", aToB.age()));
                    world.calls.interfere(Interference.none());
                }
            }
        });

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        world.assertQuiet();
    }

    @Test
    void an_own_attempt_that_arrives_after_it_was_given_back_is_replaced_by_the_next_one() {
        world.withTree();
        Stores stores = world.stores();
        Stores late = new Stores(
                stores.namespaces(),
                new LateJournal(world.journal, LateJournal.Before.READ),
                stores.locks(),
                stores.tree(),
                stores.outcomes());

        new Renamer(late, new JsonOutcomeCodec(), world.carrier("worker-1")).run(aToB);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        world.assertQuiet();
    }

    @Test
    void an_end_that_only_a_read_has_shown_is_not_published() {
        Delivery invalid = Deliveries.of(new InvalidRequest("r1", null, "source: is missing"));
        Ownership own = new Ownership("worker-1", 1, null);
        JournalEntry unacknowledged = JournalEntry.prepared(invalid, own)
                .ended(State.REJECTED, new JournalEntry.Ending(world.time.now(), "{\"never\":\"acknowledged\"}"));
        world.calls.interfere(Interference.notArrivedAt(1));
        Stores stores = world.stores();
        Journal dirty = new StaleJournal(stores.journal(), new Versioned<>(unacknowledged, new Version(7, 1)));
        Stores meetsDirty = new Stores(stores.namespaces(), dirty, stores.locks(), stores.tree(), stores.outcomes());

        new Renamer(meetsDirty, new JsonOutcomeCodec(), world.carrier("worker-1")).run(invalid);

        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.INVALID_REQUEST);
        world.assertQuiet();
    }

    @Test
    void an_attempt_that_arrives_after_the_next_one_was_sent_is_carried_on_by_its_own_process() {
        Stores stores = world.withTree().stores();
        Stores late = new Stores(
                stores.namespaces(),
                new LateJournal(world.journal, LateJournal.Before.PREPARE),
                stores.locks(),
                stores.tree(),
                stores.outcomes());

        new Renamer(late, new JsonOutcomeCodec(), world.carrier("worker-1")).run(aToB);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        world.assertQuiet();
    }

    @Test
    void a_dead_hold_of_an_ended_request_does_not_block_a_rename() {
        world.withTree();
        Hold dead = world.heldByAnother("/x", "/y");
        world.otherEnds("/x", "/y");
        world.locks.take("files", new Path("/a"), LockMode.SHARED, dead);

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_rename_that_a_janitor_gave_back_before_the_commit_begins_again() {
        world.withTree();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            var found = world.journal.read("r1").orElseThrow();
            world.journal.write(found.value().givenBack(), found.version());
        }));

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        world.assertQuiet();
    }

    @Test
    void a_rename_that_was_taken_over_while_it_moved_is_not_written_any_more() {
        world.withTree();
        world.calls.interfere(Interference.before("journal.write MOVING", 2, () -> {
            takeOver("worker-2");
            world.calls.interfere(Interference.before("journal.read", 2, () -> {
                assertThat(world.paths()).containsEntry("a1", "/a/1").containsEntry("ad1", "/a/d/1");
                rollForward("worker-2");
            }));
        }));

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1")).returns("worker-2", Outcome::processId).returns(true, Outcome::rolledForward);
        world.assertQuiet();
    }

    private void takeOver(String processId) {
        var found = world.journal.read("r1").orElseThrow();
        world.journal.write(TakenOver.by(processId, found.value()), found.version());
    }

    private void rollForward(String processId) {
        Rename rename = new Rename("r1", World.FILES, new Path("/a"), new Path("/b"), OnExisting.FAIL);
        Stores direct = new Stores(world.namespaces, world.journal, world.locks, world.tree, world.outcomes);
        Carrier carrier = world.carrier(processId);
        OwnEntry own =
                new OwnEntry(world.journal, carrier, world.journal.read("r1").orElseThrow());
        new Completion(direct, new JsonOutcomeCodec(), carrier).move(own, rename, List.of());
    }

    @Test
    void a_decided_rename_that_a_cut_off_node_shows_as_another_process_s_is_picked_up_again() {
        world.withTree();
        StaleJournal stale = new StaleJournal(world.journal);
        world.calls.interfere(
                Interference.before("tree.scan", 1, () -> stale.willShow(Optional.of(neverAcknowledged(touched())))));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership())
                .returns("worker-1", Ownership::processId)
                .returns(2L, Ownership::epoch);
        world.assertQuiet();
    }

    @Test
    void a_decided_rename_that_was_dropped_is_picked_up_also_where_it_is_to_stop() {
        world.withTree();
        StaleJournal stale = new StaleJournal(new FaultyJournal(world.journal, world.calls));
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            world.stop.request();
            stale.willShow(Optional.of(neverAcknowledged(touched())));
            world.calls.interfere(Interference.after("journal.write MOVING", 2, () -> {
                throw new NoAnswerException("of the picking up", null);
            }));
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_decided_rename_that_a_cut_off_node_shows_as_prepared_keeps_its_locks() {
        world.withTree();
        StaleJournal stale = new StaleJournal(new FaultyJournal(world.journal, world.calls));
        List<Versioned<JournalEntry>> prepared = new ArrayList<>();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            prepared.add(world.journal.read("r1").orElseThrow());
            world.calls.interfere(Interference.before("tree.scan", 1, () -> {
                stale.willShow(Optional.of(neverAcknowledged(touched())));
                stale.willShow(Optional.of(prepared.getFirst()));
            }));
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(attempts()).isEqualTo(1);
        world.assertQuiet();
    }

    @Test
    void a_request_that_is_delivered_again_while_it_is_carried_is_not_begun_beside_it() {
        world.withTree();
        Renamer renamer = world.renamer();
        StopSignal second = new StopSignal();
        second.request();
        List<Answer> answers = new ArrayList<>();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            world.calls.interfere(Interference.none());
            answers.add(renamer.stoppedBy(second).run(aToB));
        }));

        assertThat(renamer.run(aToB)).isEqualTo(published("r1"));

        assertThat(answers).containsExactly(new Answer.Stopped());
        assertThat(attempts()).isEqualTo(1);
        world.assertQuiet();
    }

    private long attempts() {
        return world.calls.writesMade().stream()
                .filter(call -> call.name().equals("journal.prepare"))
                .count();
    }

    @Test
    void who_is_to_stop_and_is_shown_another_owner_twice_gives_back_all_the_same() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        StaleJournal stale = new StaleJournal(world.journal);
        world.calls.interfere(Interference.after("locks.release", 1, () -> {
            world.stop.request();
            Versioned<JournalEntry> never = neverAcknowledged(touched());
            stale.willShow(Optional.of(never));
            stale.willShow(Optional.of(never));
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        world.otherEnds("/a/d", "/c");
        assertThat(world.locks.documents()).isEmpty();
    }

    /** So that the owner's next write is refused, and it reads. */
    private JournalEntry touched() {
        Versioned<JournalEntry> entry = world.journal.read("r1").orElseThrow();
        world.journal.write(entry.value().touched(), entry.version());
        return entry.value();
    }

    private static Versioned<JournalEntry> neverAcknowledged(JournalEntry entry) {
        return new Versioned<>(TakenOver.by("janitor-1", entry), new Version(1_000, 1));
    }

    @Test
    void who_is_to_stop_while_an_attempt_has_no_answer_sees_to_it_that_it_cannot_arrive_later() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofMillis(1), world.stop::request);

        Answer answer = renamer(new LateJournal(world.journal, LateJournal.Before.PREPARE))
                .run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        world.otherEnds("/a/d", "/c");
        assertThat(world.locks.documents()).isEmpty();
    }

    @Test
    void a_prepared_rename_that_a_cut_off_node_shows_as_missing_is_tried_again() {
        world.withTree();
        StaleJournal stale = new StaleJournal(world.journal);
        world.calls.interfere(Interference.after("tree.indices", 1, () -> {
            Versioned<JournalEntry> prepared = world.journal.read("r1").orElseThrow();
            world.journal.write(prepared.value().touched(), prepared.version());
            stale.willShow(Optional.empty());
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").waiting().refusals())
                .as("by its own first hold")
                .isZero();
        world.assertQuiet();
    }

    private Renamer renamer(Journal journal) {
        Stores stores = world.stores();
        return new Renamer(
                new Stores(stores.namespaces(), journal, stores.locks(), stores.tree(), stores.outcomes()),
                new JsonOutcomeCodec(),
                world.carrier("worker-1"));
    }
}
