package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.treerename.checker.Play.at;
import static org.treerename.checker.Play.deliveredAt;
import static org.treerename.checker.Play.in;
import static org.treerename.checker.Play.numbered;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.checker.History.Event;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;

/** Tests that a good run has no violation, and that each defect is reported under the number of the violated point. */
class CheckerTest {

    private static final String[] TREE = {"/a/", "/a/x", "/a/y", "/b/", "/b/y", "/c"};

    /**
     * Three requests: a rename of a directory, a rejected rename, and a rename that moves a file out of the renamed
     * directory.
     */
    private final Play play =
            new Play(TREE).then("r1", "/a", "/d").then("r2", "/a", "/e").then("r3", "/d/x", "/b/x");

    private static void assertNoViolation(Run run) {
        assertThat(Checker.check(run)).isEmpty();
    }

    /**
     * Asserts that there are violations of this point only, and that the message of one violation contains the words.
     */
    private static void assertViolation(Run run, int point, String... words) {
        List<Violation> found = Checker.check(run);
        assertThat(found).extracting(Violation::point).containsOnly(point);
        assertThat(found).anySatisfy(violation -> assertThat(violation.words()).contains(words));
    }

    @Test
    void a_good_run_has_no_violation() {
        assertNoViolation(play.run());
        assertNoViolation(play.withoutHistory());
    }

    @Test
    void a_rename_of_the_document_of_its_source_id_has_no_violation() {
        assertNoViolation(new Play(TREE).thenOf("a/x", "r1", "/a/x", "/b/x").run());
    }

    @Test
    void reports_a_completed_rename_of_another_document_than_that_of_its_source_id() {
        assertViolation(
                new Play(TREE).thenOf("a/y", "r1", "/a/x", "/a/x").run(),
                6,
                "request r1 (/a/x to /a/x) took effect",
                "it must be rejected: source_not_found");
    }

    @Test
    void a_rejection_because_another_document_is_at_the_source_is_no_violation() {
        Play rejected = new Play(TREE).thenOf("a/y", "r1", "/a/x", "/b/y");
        assertNoViolation(rejected.entry("r1", in("closed", 101L, "rejected", "source_not_found"))
                .run());
    }

    @Test
    void a_good_run_with_a_replacing_rename_has_no_violation() {
        assertNoViolation(new Play(TREE)
                .then("r1", "/c", "/a/x", true)
                .then("r2", "/c", "/c")
                .run());
    }

    // point 1

    @Test
    void reports_a_missing_document() {
        assertViolation(
                play.without("/d/y").run(), 1, "id of /a/y", "which was at /a/y before, at /d/y, found it nowhere");
    }

    @Test
    void reports_a_document_id_that_exists_twice() {
        play.found().add(Trees.stored("/c"));

        assertViolation(play.run(), 1, "expected the document id of /c once, found it twice");
    }

    @Test
    void reports_a_document_that_was_never_created() {
        play.found().add(Trees.stored("/b/new"));

        assertViolation(play.run(), 1, "found the document id of /b/new at /b/new, which did not exist before the run");
    }

    @Test
    void reports_changed_contents() {
        play.spoil(
                "/d/y",
                stored -> numbered(
                        Trees.stored(new TreeDocument(stored.document().id(), false, "other", null), "/d/y"), 7));

        assertViolation(play.run(), 1, "expected the contents of the document id of /a/y at /d/y unchanged");
    }

    @Test
    void reports_a_changed_routing() {
        play.spoil(
                "/d/y",
                stored -> numbered(
                        Trees.stored(
                                new TreeDocument(
                                        stored.document().id(),
                                        false,
                                        stored.document().digest(),
                                        "r"),
                                "/d/y"),
                        7));

        assertViolation(play.run(), 1, "with routing null, found r");
    }

    @Test
    void reports_path_fields_that_contradict_each_other() {
        play.spoil("/d/y", stored -> new TreeDump.StoredDocument(stored.document(), "/d/y", "/a", "y", 7));

        assertViolation(play.run(), 1, "expected parent /d", "found /a");
    }

    @Test
    void reports_a_write_to_a_document_that_no_rename_covers() {
        play.spoil("/c", stored -> numbered(stored, 8));

        assertViolation(play.run(), 1, "no rename has moved the document id of /c", "sequence number 0, found 8");
    }

    // point 2

    @Test
    void reports_two_documents_at_one_path() {
        List<Violation> found = Checker.check(play.spoil("/c", at("/b/y")).run());

        assertThat(found).extracting(Violation::point).contains(2);
        assertThat(found)
                .anySatisfy(violation -> assertThat(violation.words()).contains("expected one document at /b/y"));
    }

    @Test
    void reports_a_document_without_a_parent_directory() {
        List<Violation> found = Checker.check(play.spoil("/c", at("/nowhere/c")).run());

        assertThat(found)
                .anySatisfy(violation -> assertThat(violation)
                        .returns(2, Violation::point)
                        .extracting(Violation::words)
                        .asString()
                        .contains("expected a directory /nowhere above the document id of /c"));
    }

    @Test
    void a_document_that_had_no_parent_directory_before_the_run_is_no_violation() {
        assertNoViolation(new Play("/o/x", "/c").then("r1", "/c", "/d").run());
    }

    // point 3

    @Test
    void reports_a_closed_rename_that_moved_only_some_documents() {
        Play half = new Play(TREE).then("r1", "/a", "/d");
        half.spoil("/d/y", at("/a/y"));

        assertThat(Checker.check(half.run()))
                .anySatisfy(violation -> assertThat(violation)
                        .isEqualTo(new Violation(
                                3, "request r1 (/a to /d) is closed: moved documents: expected 3, found 2")));
    }

    @Test
    void reports_a_rejected_rename_that_moved_a_document() {
        Play rejected = new Play("/a/", "/a/x", "/b/").then("r1", "/a/x", "/b");
        rejected.spoil("/a/x", stored -> at("/b").apply(stored));

        assertThat(Checker.check(rejected.run()))
                .extracting(Violation::point, Violation::words)
                .contains(tuple(
                        3,
                        "expected the document id of /a/x at /a/x, found it at /b: request r1 (/a/x to /b) is closed"
                                + " (rejected) and must not have moved any document"));
    }

    @Test
    void a_parked_rename_may_be_incomplete_and_keep_its_locks() {
        Play parked = new Play(TREE).then("r1", "/a", "/d");
        parked.entry("r1", in("parked", 101L, null, null)).spoil("/d/y", at("/a/y"));
        parked.outcomes.clear();
        parked.holds.add(new LockDump.Hold("files", "/a", "exclusive", "h1", "r1", "worker-1"));

        assertNoViolation(parked.run());
    }

    @Test
    void a_parked_rename_may_have_left_a_document_at_its_source_where_it_also_was_before_an_earlier_rename() {
        Play parked =
                new Play("/a").then("r1", "/a", "/b").then("r2", "/b", "/a").then("r3", "/a", "/c");
        parked.entry("r3", in("parked", 103L, null, null)).spoil("/c", at("/a"));
        parked.outcomes.removeLast();

        assertNoViolation(parked.run());
    }

    // point 4

    @Test
    void reports_a_write_after_the_end_of_its_request() {
        play.events.add(new Event.Wrote("r1", "worker-1", "id of /a/z", "/a/z", "/d/z"));

        assertViolation(play.run(), 4, "for request r1, but the request was not committed yet, or had already ended");
    }

    @Test
    void reports_concurrent_renames_that_conflict() {
        Play both = new Play(TREE)
                .sent("r1", "/a", "/d")
                .sent("r2", "/b", "/d/b")
                .decided("r1", "/a", "/d", false)
                .decided("r2", "/b", "/d/b", false)
                .ended("r1")
                .ended("r2");

        assertViolation(both.run(), 4, "request r2 (/b to /d/b) was decided while request r1 (/a to /d)");
        assertViolation(both.withoutHistory(), 4, "request r2 (/b to /d/b) was decided at");
    }

    @Test
    void concurrent_renames_that_do_not_overlap_are_no_violation() {
        assertNoViolation(new Play(TREE)
                .sent("r1", "/a", "/d")
                .sent("r2", "/b", "/e")
                .decided("r1", "/a", "/d", false)
                .decided("r2", "/b", "/e", false)
                .ended("r1")
                .ended("r2")
                .run());
    }

    // point 5

    @Test
    void reports_two_different_outcomes_of_one_request() {
        play.outcomes.add(new Records.Outcome("r1", Instant.MAX, "{\"another\":1}"));

        assertViolation(play.run(), 5, "expected one outcome of request r1");
    }

    @Test
    void reports_an_outcome_that_differs_from_the_journal_entry() {
        play.outcomes.replaceAll(outcome -> outcome.key().equals("r1")
                ? new Records.Outcome("r1", outcome.publishedAt(), "{\"another\":1}")
                : outcome);

        assertViolation(play.run(), 5, "request r1: expected the published outcome to be the outcome in the journal");
    }

    @Test
    void an_identical_second_outcome_is_no_violation() {
        play.outcomes.add(play.outcomes.getFirst());

        assertNoViolation(play.run());
    }

    @Test
    void a_closed_entry_of_an_external_writer_needs_no_outcome() {
        play.entries.add(new JournalDump.Entry(
                "write-1",
                "closed",
                "writer-1",
                "h1",
                "files",
                null,
                null,
                false,
                0,
                null,
                null,
                new JournalDump.Delivery(0, 0),
                null,
                null,
                null,
                null,
                null,
                null));

        assertNoViolation(play.run());
    }

    @Test
    void reports_a_closed_request_without_an_outcome() {
        play.outcomes.removeIf(outcome -> outcome.key().equals("r2"));

        assertViolation(play.run(), 5, "request r2 (/a to /e) is closed, but no outcome was published");
    }

    @Test
    void reports_a_document_that_was_moved_twice_for_one_request() {
        int written = play.events.indexOf(new Event.Wrote("r1", "worker-1", "id of /a/x", "/a/x", "/d/x"));
        play.events.add(written + 1, play.events.get(written));

        assertViolation(play.run(), 5, "the document id of /a/x was moved twice for request r1");
    }

    @Test
    void reports_a_request_with_neither_journal_entry_nor_dead_letter() {
        play.requests.add(
                new Records.Request(new JournalDump.Delivery(3, 9), Instant.MAX, "{\"request_id\":\"lost\"}"));

        assertViolation(play.run(), 5, "has neither a journal entry nor a dead letter: request lost");
    }

    @Test
    void a_malformed_record_needs_a_dead_letter() {
        JournalDump.Delivery place = new JournalDump.Delivery(3, 9);
        play.requests.add(new Records.Request(place, Instant.MAX, "no json"));
        assertViolation(play.run(), 5, "has neither a journal entry nor a dead letter");

        play.deadLetters.add(new Records.DeadLetter(place, "not_json"));
        assertNoViolation(play.run());
    }

    // point 6

    @Test
    void reports_two_swapped_decisions() {
        play.entry("r1", in("closed", 103L, "completed", null)).entry("r3", in("closed", 101L, "completed", null));

        List<Violation> found = Checker.check(play.run());

        assertThat(found)
                .anySatisfy(violation -> assertThat(violation)
                        .isEqualTo(new Violation(
                                6,
                                "request r3 (/d/x to /b/x) took effect, but at its place in the order of the decisions (write 101)"
                                        + " it must be rejected: source_not_found")));
    }

    @Test
    void reports_a_decision_without_a_sequence_number() {
        play.entry("r2", in("closed", null, "rejected", "source_not_found"));

        assertViolation(
                play.run(),
                6,
                "request r2 (/a to /e) is decided, but its entry has no sequence number of the deciding write");
    }

    @Test
    void reports_two_decisions_with_one_sequence_number() {
        play.entry("r2", in("closed", 101L, "rejected", "source_not_found"));

        assertViolation(play.run(), 6, "was decided by write 101, which also decided another request");
    }

    @Test
    void reports_a_wrong_reason_of_a_rejection() {
        play.entry("r2", in("closed", 102L, "rejected", "destination_exists"));

        assertViolation(play.run(), 6, "rejected as destination_exists", "it must be rejected as source_not_found");
    }

    @Test
    void accepts_invalid_request_only_for_a_version_in_a_namespace_without_external_versions() {
        Play versioned = new Play("/a/").sent("r1", "/a", "/b");
        versioned.requests.replaceAll(
                sent -> new Records.Request(sent.place(), sent.appendedAt(), "{\"request_id\":\"r1\",\"version\":17}"));
        versioned.refused("r1", "/a", "/b", "invalid_request");
        Play plain = new Play("/a/").sent("r1", "/a", "/b").refused("r1", "/a", "/b", "invalid_request");

        assertThat(Checker.check(versioned.run())).isEmpty();
        assertViolation(plain.run(), 6, "rejected as invalid_request", "it must be completed");
    }

    private static Play rejectedAsUnknownAfterTheEndOf(String predecessor, Duration passed) {
        Play play = new Play("/a/", "/x/")
                .then(predecessor, "/x", "/y")
                .later(passed)
                .sent("r1", "/a", "/b");
        play.requests.replaceAll(sent -> new Records.Request(
                sent.place(), sent.appendedAt(), sent.value().replace("}", ",\"after\":[\"" + predecessor + "\"]}")));
        return play.refused("r1", "/a", "/b", "unknown_predecessor");
    }

    @Test
    void accepts_unknown_predecessor_only_if_the_journal_may_lack_the_predecessor() {
        Play lacking = new Play("/a/").sent("r1", "/a", "/b");
        lacking.requests.replaceAll(sent ->
                new Records.Request(sent.place(), sent.appendedAt(), "{\"request_id\":\"r1\",\"after\":[\"r0\"]}"));
        lacking.refused("r1", "/a", "/b", "unknown_predecessor");
        Play late = rejectedAsUnknownAfterTheEndOf("r0", Duration.ofSeconds(1));
        Play known = rejectedAsUnknownAfterTheEndOf("r0", Duration.ofMinutes(1));

        assertThat(Checker.check(lacking.run())).isEmpty();
        assertThat(Checker.check(late.run())).isEmpty();
        assertViolation(known.run(), 6, "rejected as unknown_predecessor", "it must be completed");
    }

    @Test
    void reports_a_rejection_of_a_valid_request() {
        play.entry("r2", in("closed", 100L, "rejected", "source_not_found"));
        play.events.remove(new Event.Decided("r2"));

        assertViolation(play.withoutHistory(), 6, "rejected as source_not_found", "it must be completed");
    }

    @Test
    void reports_a_failure_as_locked_without_a_refused_lock() {
        play.entry("r2", in("closed", 102L, "failed", "locked"));

        assertViolation(play.run(), 6, "failed with the reason locked, but none of its locks was refused");
    }

    @Test
    void a_cancelled_rename_without_effect_is_no_violation() {
        play.entry("r2", in("closed", 102L, "cancelled", null));

        assertNoViolation(play.run());
    }

    @Test
    void reports_a_cancelled_rename_that_was_committed_and_the_documents_that_it_moved() {
        Play moved = new Play(TREE).then("r1", "/c", "/d");
        moved.entry("r1", in("closed", 101L, "cancelled", null));

        List<Violation> found = Checker.check(moved.run());

        assertThat(found)
                .anySatisfy(violation -> assertThat(violation.words())
                        .contains("request r1 (/c to /d) was cancelled, but was committed at"));
        assertThat(found).extracting(Violation::point).contains(1, 4);
    }

    @Test
    void the_log_order_of_a_cancelled_request_does_not_matter() {
        Play swapped = new Play(TREE)
                .sent("r1", "/c", "/e")
                .sent("r2", "/c", "/f")
                .decided("r1", "/c", "/e", false)
                .ended("r1")
                .decided("r2", "/c", "/f", false)
                .ended("r2");
        swapped.entry("r2", in("closed", 102L, "cancelled", null)).entry("r1", deliveredAt(9));

        assertNoViolation(swapped.run());
    }

    @Test
    void reports_a_completed_rename_that_moved_nothing() {
        Play none = new Play(TREE).then("r1", "/c", "/d");

        assertViolation(none.spoil("/d", at("/c")).run(), 6, "moved documents: expected 1, found 0");
    }

    @Test
    void reports_a_document_at_a_path_that_no_rename_gives() {
        assertViolation(
                play.spoil("/d/y", at("/b/z")).run(), 6, "expected the document id of /a/y at /d/y, found it at /b/z");
    }

    @Test
    void reports_sequence_numbers_that_contradict_the_history() {
        Play apart = new Play(TREE).then("r1", "/a", "/d").then("r2", "/b", "/e");
        apart.entry("r2", in("closed", 99L, "completed", null));

        assertThat(Checker.check(apart.run()))
                .extracting(Violation::words)
                .anySatisfy(words -> assertThat(words)
                        .contains("request r2 (/b to /e) was decided after request r1 (/a to /d):"
                                + " expected that the later decision has a sequence number above 101, found 99"));
    }

    @Test
    void reports_an_order_that_contradicts_real_time() {
        Play apart = new Play(TREE).then("r1", "/a", "/d").then("r2", "/b", "/e");
        apart.entry("r2", in("closed", 99L, "completed", null));

        assertViolation(
                apart.withoutHistory(), 6, "request r1 (/a to /d) was answered before request r2 (/b to /e) was sent");
        assertThat(Checker.check(apart.run()))
                .anySatisfy(violation -> assertThat(violation.words()).contains("was answered before"));
    }

    @Test
    void reports_an_order_that_contradicts_the_log() {
        Play swapped = new Play(TREE)
                .sent("r1", "/c", "/e")
                .sent("r2", "/c", "/f")
                .decided("r1", "/c", "/e", false)
                .ended("r1")
                .decided("r2", "/c", "/f", false)
                .ended("r2");
        assertNoViolation(swapped.run());

        swapped.entry("r1", deliveredAt(9));

        assertViolation(
                swapped.run(), 6, "is in the request topic at", "expected that the first request is decided first");
    }

    @Test
    void requests_of_one_partition_that_do_not_overlap_may_be_decided_in_any_order() {
        Play apart = new Play(TREE)
                .sent("r1", "/a", "/d")
                .sent("r2", "/b", "/e")
                .decided("r1", "/a", "/d", false)
                .ended("r1")
                .decided("r2", "/b", "/e", false)
                .ended("r2");

        assertNoViolation(apart.entry("r1", deliveredAt(9)).run());
    }

    // point 7

    @Test
    void reports_a_remaining_hold() {
        play.holds.add(new LockDump.Hold("files", "/a", "exclusive", "h1", "r1", "worker-1"));

        assertViolation(play.run(), 7, "expected nothing left over, found hold: /a of files");
    }

    @Test
    void reports_a_remaining_claim() {
        play.claims.add(new LockDump.Claim("files", "/a", "shared", "r1"));

        assertViolation(play.run(), 7, "expected nothing left over, found claim: /a of files");
    }

    @Test
    void reports_an_open_journal_entry() {
        play.entry("r2", in("rejected", 102L, "rejected", "source_not_found"));

        assertViolation(play.run(), 7, "expected nothing left over, found entry: request r2 (/a to /e) is rejected");
    }

    @Test
    void reports_an_open_point_in_time() {
        play.openContexts = 1;

        assertViolation(play.run(), 7, "expected no open point in time, found 1");
    }

    // point 8

    @Test
    void reports_a_duration_above_its_bound() {
        play.bounds.add(new Run.Bound("the roll-forward", Duration.ofSeconds(5), Duration.ofSeconds(5)));
        assertNoViolation(play.run());
        play.bounds.add(new Run.Bound("the roll-forward", Duration.ofSeconds(6), Duration.ofSeconds(5)));

        assertViolation(play.run(), 8, "the roll-forward took 6s, but may take 5s at most");
    }

    // point 9

    @Test
    void reports_a_late_write_of_a_fenced_process() {
        play.events.add(new Event.Fenced("worker-1"));
        play.events.add(new Event.Wrote("r1", "worker-1", "id of /a/z", "/a/z", "/d/z"));

        assertThat(Checker.check(play.run())).extracting(Violation::point).containsExactly(4, 9);
    }

    @Test
    void a_write_of_a_fenced_process_that_equals_the_write_of_the_owner_is_no_violation() {
        play.events.add(play.events.indexOf(new Event.Decided("r1")), new Event.Fenced("worker-1"));

        assertNoViolation(play.run());
    }

    // documents of writers without locks

    @Test
    void a_document_that_a_writer_creates_before_the_commit_must_move() {
        Play external = new Play(TREE);
        external.events.add(new Event.Others("new", "/a/new", "digest of new"));
        external.then("r1", "/a", "/d");
        external.found().add(Trees.stored(Trees.file("new"), "/d/new"));
        assertNoViolation(external.run());

        assertViolation(external.spoil("/d/new", at("/a/new")).run(), 6, "the document new is at /a/new");
    }

    @Test
    void a_document_that_a_writer_creates_during_the_rename_may_stay_or_move() {
        for (String path : List.of("/a/new", "/d/new")) {
            Play external = new Play(TREE).then("r1", "/a", "/d");
            external.events.add(
                    external.events.indexOf(new Event.Ended("r1")), new Event.Others("new", "/a/new", "digest of new"));
            external.found().add(Trees.stored(Trees.file("new"), path));

            assertNoViolation(external.run());
        }
    }

    @Test
    void a_replaced_document_that_a_writer_creates_again_during_the_next_rename_may_stay_or_move() {
        for (String path : List.of("/d", "/e")) {
            Play external = new Play(TREE);
            external.events.add(new Event.Others("new", "/d", "digest of new"));
            external.then("r1", "/a/x", "/d", true).then("r2", "/d", "/e");
            int ended = external.events.indexOf(new Event.Ended("r2"));
            external.events.add(ended, new Event.Others("new", "/d", "digest of new"));
            external.events.add(ended, new Event.Others("new", null, null));
            external.found().add(Trees.stored(Trees.file("new"), path));

            assertNoViolation(external.run());
        }
    }

    @Test
    void a_document_that_a_writer_edits_while_a_rename_replaces_it_may_be_gone_or_stay() {
        for (boolean isFound : List.of(true, false)) {
            Play external = new Play(TREE);
            external.events.add(new Event.Others("new", "/d", "digest of new"));
            external.then("r1", "/a/x", "/d", true);
            external.events.add(
                    external.events.indexOf(new Event.Ended("r1")), new Event.Others("new", "/d", "edited"));
            if (isFound) {
                external.found().add(Trees.stored(new TreeDocument("new", false, "edited", null), "/d"));
            }

            assertNoViolation(external.run());
        }
    }

    @Test
    void reports_a_deleted_document_that_is_found_again() {
        Play external = new Play(TREE);
        external.events.add(new Event.Others("id of /a/x", null, null));
        external.then("r1", "/a", "/d");
        assertViolation(external.run(), 6, "the document id of /a/x is at /d/x, but no order of the renames");

        assertNoViolation(external.without("/d/x").run());
    }

    @Test
    void a_deleted_directory_may_be_missing_at_the_destination_of_its_contents() {
        Play external = new Play("/a/", "/a/x/", "/a/x/f");
        external.events.add(new Event.Others("id of /a/x/", null, null));
        external.then("r1", "/a/x", "/b");

        assertNoViolation(external.without("/b").run());
    }

    @Test
    void a_rename_by_id_of_a_recreated_directory_moves_its_contents() {
        Play external = new Play("/a/", "/a/x/", "/a/x/f");
        TreeDocument directory = external.model.at("/a/x").orElseThrow();
        external.events.add(new Event.Others(directory.id(), null, null));
        external.events.add(new Event.Others(directory.id(), "/a/x", directory.digest()));
        external.thenOf("a/x/", "r1", "/a/x", "/b");

        assertNoViolation(external.run());
    }

    @Test
    void reports_a_lost_edit_of_a_writer() {
        Play external = new Play(TREE);
        external.events.add(new Event.Others("id of /a/x", "/a/x", "edited"));
        external.then("r1", "/a", "/d");
        assertViolation(external.run(), 1, "expected the contents of the document id of /a/x at /d/x");

        assertNoViolation(external.spoil(
                        "/d/x",
                        stored -> numbered(
                                Trees.stored(new TreeDocument("id of /a/x", false, "edited", null), "/d/x"), 7))
                .run());
    }

    @Test
    void a_rejection_because_of_a_document_of_a_writer_is_no_violation() {
        Play external = new Play(TREE);
        external.events.add(new Event.Others("new", "/d", "digest of new"));
        external.sent("r1", "/a", "/d");
        external.decided("r1", "/a", "/d", false);
        external.ended("r1");
        external.model.undo();
        external.events.removeIf(event -> event instanceof Event.Wrote);
        external.entry("r1", in("closed", 101L, "rejected", "destination_exists"));
        external.found().add(Trees.stored(Trees.file("new"), "/d"));

        assertNoViolation(external.run());
    }

    @Test
    void a_rename_may_replace_a_document_in_a_directory_that_a_writer_recreated() {
        Play external = new Play(TREE);
        TreeDocument directory = external.model.at("/a").orElseThrow();
        external.events.add(new Event.Others(directory.id(), null, null));
        external.events.add(new Event.Others(directory.id(), "/a", directory.digest()));
        external.then("r1", "/c", "/a/x", true);

        assertNoViolation(external.run());
    }

    @Test
    void a_destination_is_free_after_a_rename_removed_its_document_but_kept_its_newer_source() {
        Play newer = new Play(TREE);
        TreeDocument source = newer.model.at("/a/x").orElseThrow();
        newer.sent("r1", "/a/x", "/c");
        newer.decided("r1", "/a/x", "/c", true);
        newer.model.undo();
        newer.model.remove(new TreePath("/c"));
        newer.events.removeIf(
                event -> event instanceof Event.Wrote wrote && wrote.document().equals(source.id()));
        newer.events.add(new Event.Others(source.id(), null, null));
        newer.events.add(new Event.Others(source.id(), "/a/x", source.digest()));
        newer.ended("r1");
        newer.then("r2", "/b", "/c");

        assertNoViolation(newer.run());
    }

    @Test
    void accepts_older_version_only_with_external_versions_and_without_another_reason() {
        for (String destination : List.of("/d", "/c")) {
            Play older = new Play(TREE);
            older.sent("r1", "/a", destination);
            older.decided("r1", "/a", destination, false);
            older.ended("r1");
            if (destination.equals("/d")) {
                older.model.undo();
            }
            older.events.removeIf(event -> event instanceof Event.Wrote);
            older.entry("r1", in("closed", 101L, "rejected", "older_version"));

            assertViolation(older.run(), 6, destination.equals("/d") ? "must be completed" : "must be rejected as");
            older.namespace = Trees.FILES.with(new Rules(Granularity.TREE, 1, VersionOwner.EXTERNAL, null, 0));
            if (destination.equals("/d")) {
                assertNoViolation(older.run());
            } else {
                assertViolation(older.run(), 6, "it must be rejected as destination_exists");
            }
        }
    }

    @Test
    void reports_only_the_first_of_many_violations_of_one_point() {
        Play many = new Play(TREE);
        for (int i = 0; i < 25; i++) {
            many.claims.add(new LockDump.Claim("files", "/" + i, "shared", "r" + i));
        }

        assertThat(Checker.check(many.run()))
                .hasSize(Findings.MOST_REPORTED + 1)
                .endsWith(new Violation(7, "and 5 more"));
    }
}
