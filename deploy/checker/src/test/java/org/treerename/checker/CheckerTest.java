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
import org.treerename.path.Granularity;
import org.treerename.path.Rules;
import org.treerename.path.TreePath;
import org.treerename.path.VersionOwner;

/** A good run has no violation; one with a defect is told by the point that the defect breaks. */
class CheckerTest {

    private static final String[] TREE = {"/a/", "/a/x", "/a/y", "/b/", "/b/y", "/c"};

    /** A rename of a directory, one that is rejected, and one out of the renamed directory. */
    private final Play play =
            new Play(TREE).then("r1", "/a", "/d").then("r2", "/a", "/e").then("r3", "/d/x", "/b/x");

    private static void assertNone(Run run) {
        assertThat(Checker.check(run)).isEmpty();
    }

    /** Whether there is a violation that says this, and none of another point. */
    private static void assertNamed(Run run, int point, String... words) {
        List<Violation> found = Checker.check(run);
        assertThat(found).extracting(Violation::point).containsOnly(point);
        assertThat(found).anySatisfy(violation -> assertThat(violation.words()).contains(words));
    }

    @Test
    void aGoodRunHasNone() {
        assertNone(play.run());
        assertNone(play.withoutHistory());
    }

    @Test
    void a_rename_of_the_document_that_it_names_has_none() {
        assertNone(new Play(TREE).thenOf("a/x", "r1", "/a/x", "/b/x").run());
    }

    @Test
    void a_completed_rename_of_another_document_than_it_names_is_named() {
        assertNamed(
                new Play(TREE).thenOf("a/y", "r1", "/a/x", "/a/x").run(),
                6,
                "request r1 (/a/x to /a/x) took effect",
                "it is to be rejected: source_not_found");
    }

    @Test
    void a_rejection_because_another_document_is_at_the_source_has_none() {
        Play rejected = new Play(TREE).thenOf("a/y", "r1", "/a/x", "/b/y");
        assertNone(rejected.entry("r1", in("closed", 101L, "rejected", "source_not_found"))
                .run());
    }

    @Test
    void aGoodRunThatReplacesHasNone() {
        assertNone(new Play(TREE)
                .then("r1", "/c", "/a/x", true)
                .then("r2", "/c", "/c")
                .run());
    }

    // point 1

    @Test
    void aDocumentThatIsDroppedIsNamed() {
        assertNamed(
                play.without("/d/y").run(), 1, "id of /a/y", "which stood at /a/y before, at /d/y, found it nowhere");
    }

    @Test
    void aDocumentThatIsReadTwiceIsNamed() {
        play.found().add(Trees.standing("/c"));

        assertNamed(play.run(), 1, "expected the document id of /c once, found it twice");
    }

    @Test
    void aDocumentThatNobodyHasMadeIsNamed() {
        play.found().add(Trees.standing("/b/new"));

        assertNamed(play.run(), 1, "found the document id of /b/new at /b/new, which nobody has created");
    }

    @Test
    void changedContentsAreNamed() {
        play.spoil(
                "/d/y",
                standing -> numbered(
                        Trees.standing(new TreeDocument(standing.document().id(), false, "other", null), "/d/y"), 7));

        assertNamed(play.run(), 1, "expected the contents of the document id of /a/y at /d/y as they were");
    }

    @Test
    void aChangedRoutingIsNamed() {
        play.spoil(
                "/d/y",
                standing -> numbered(
                        Trees.standing(
                                new TreeDocument(
                                        standing.document().id(),
                                        false,
                                        standing.document().digest(),
                                        "r"),
                                "/d/y"),
                        7));

        assertNamed(play.run(), 1, "with routing null, found r");
    }

    @Test
    void pathFieldsThatContradictEachOtherAreNamed() {
        play.spoil("/d/y", standing -> new TreeDump.Standing(standing.document(), "/d/y", "/a", "y", 7));

        assertNamed(play.run(), 1, "expected parent /d", "found /a");
    }

    @Test
    void aWrittenDocumentThatNoRenameCoversIsNamed() {
        play.spoil("/c", standing -> numbered(standing, 8));

        assertNamed(play.run(), 1, "no rename covers the document id of /c", "sequence number 0, found it in 8");
    }

    // point 2

    @Test
    void twoDocumentsAtOnePathAreNamed() {
        List<Violation> found = Checker.check(play.spoil("/c", at("/b/y")).run());

        assertThat(found).extracting(Violation::point).contains(2);
        assertThat(found)
                .anySatisfy(violation -> assertThat(violation.words()).contains("expected one document at /b/y"));
    }

    @Test
    void aDocumentWithoutAParentIsNamed() {
        List<Violation> found = Checker.check(play.spoil("/c", at("/nowhere/c")).run());

        assertThat(found)
                .anySatisfy(violation -> assertThat(violation)
                        .returns(2, Violation::point)
                        .extracting(Violation::words)
                        .asString()
                        .contains("expected a directory /nowhere above the document id of /c"));
    }

    @Test
    void whatStoodWithoutAParentBeforeIsNotHeldAgainstTheRun() {
        assertNone(new Play("/o/x", "/c").then("r1", "/c", "/d").run());
    }

    // point 3

    @Test
    void aRenameOfWhichAPartWasLeftIsNamed() {
        Play half = new Play(TREE).then("r1", "/a", "/d");
        half.spoil("/d/y", at("/a/y"));

        assertThat(Checker.check(half.run()))
                .anySatisfy(violation -> assertThat(violation)
                        .isEqualTo(new Violation(
                                3,
                                "request r1 (/a to /d) is closed: expected that it has moved 3 documents, found that it"
                                        + " has moved 2")));
    }

    @Test
    void aRejectedRenameThatHasMovedSomethingIsNamed() {
        Play rejected = new Play("/a/", "/a/x", "/b/").then("r1", "/a/x", "/b");
        rejected.spoil("/a/x", standing -> at("/b").apply(standing));

        assertThat(Checker.check(rejected.run()))
                .extracting(Violation::point, Violation::words)
                .contains(tuple(
                        3,
                        "expected the document id of /a/x at /a/x, found it at /b: request r1 (/a/x to /b) is closed"
                                + " (rejected) and must have moved nothing"));
    }

    @Test
    void aParkedRenameMayStandHalfDoneAndKeepsItsLocks() {
        Play parked = new Play(TREE).then("r1", "/a", "/d");
        parked.entry("r1", in("parked", 101L, null, null)).spoil("/d/y", at("/a/y"));
        parked.outcomes.clear();
        parked.holds.add(new LockDump.Hold("files", "/a", "exclusive", "h1", "r1", "worker-1"));

        assertNone(parked.run());
    }

    @Test
    void aParkedRenameMayHaveLeftADocumentFromWhereAnEarlierRenameHasMovedIt() {
        Play parked =
                new Play("/a").then("r1", "/a", "/b").then("r2", "/b", "/a").then("r3", "/a", "/c");
        parked.entry("r3", in("parked", 103L, null, null)).spoil("/c", at("/a"));
        parked.outcomes.removeLast();

        assertNone(parked.run());
    }

    // point 4

    @Test
    void aWriteAfterTheEndIsNamed() {
        play.events.add(new Event.Wrote("r1", "worker-1", "id of /a/z", "/a/z", "/d/z"));

        assertNamed(play.run(), 4, "for request r1, which was not between its commit and its end");
    }

    @Test
    void twoRenamesUnderWayAtOnceThatExcludeEachOtherAreNamed() {
        Play both = new Play(TREE)
                .sent("r1", "/a", "/d")
                .sent("r2", "/b", "/d/b")
                .decided("r1", "/a", "/d", false)
                .decided("r2", "/b", "/d/b", false)
                .ended("r1")
                .ended("r2");

        assertNamed(both.run(), 4, "request r2 (/b to /d/b) was decided while request r1 (/a to /d)");
        assertNamed(both.withoutHistory(), 4, "request r2 (/b to /d/b) was decided at");
    }

    @Test
    void twoRenamesUnderWayAtOnceThatDoNotOverlapAreNone() {
        assertNone(new Play(TREE)
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
    void twoOutcomesOfOneRequestAreNamed() {
        play.outcomes.add(new Records.Outcome("r1", Instant.MAX, "{\"another\":1}"));

        assertNamed(play.run(), 5, "expected one outcome of request r1");
    }

    @Test
    void anOutcomeThatIsNotTheEntrysIsNamed() {
        play.outcomes.replaceAll(outcome -> outcome.key().equals("r1")
                ? new Records.Outcome("r1", outcome.publishedAt(), "{\"another\":1}")
                : outcome);

        assertNamed(play.run(), 5, "expected the outcome of request r1 that its entry has");
    }

    @Test
    void theSameOutcomeTwiceIsNone() {
        play.outcomes.add(play.outcomes.getFirst());

        assertNone(play.run());
    }

    @Test
    void whatAWriterHeldHasNoOutcome() {
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

        assertNone(play.run());
    }

    @Test
    void aClosedRequestWithoutAnOutcomeIsNamed() {
        play.outcomes.removeIf(outcome -> outcome.key().equals("r2"));

        assertNamed(play.run(), 5, "request r2 (/a to /e) is closed, and no outcome was published");
    }

    @Test
    void aSecondEffectIsNamed() {
        int written = play.events.indexOf(new Event.Wrote("r1", "worker-1", "id of /a/x", "/a/x", "/d/x"));
        play.events.add(written + 1, play.events.get(written));

        assertNamed(play.run(), 5, "the document id of /a/x was moved twice for request r1");
    }

    @Test
    void aRequestThatWasForgottenIsNamed() {
        play.requests.add(
                new Records.Request(new JournalDump.Delivery(3, 9), Instant.MAX, "{\"request_id\":\"lost\"}"));

        assertNamed(play.run(), 5, "has neither an entry nor a dead letter: request lost");
    }

    @Test
    void whatCannotBeAnsweredIsADeadLetter() {
        JournalDump.Delivery place = new JournalDump.Delivery(3, 9);
        play.requests.add(new Records.Request(place, Instant.MAX, "no json"));
        assertNamed(play.run(), 5, "has neither an entry nor a dead letter");

        play.deadLetters.add(new Records.DeadLetter(place, "not_json"));
        assertNone(play.run());
    }

    // point 6

    @Test
    void twoDecisionsSwappedAreNamed() {
        play.entry("r1", in("closed", 103L, "completed", null)).entry("r3", in("closed", 101L, "completed", null));

        List<Violation> found = Checker.check(play.run());

        assertThat(found)
                .anySatisfy(violation -> assertThat(violation)
                        .isEqualTo(new Violation(
                                6,
                                "request r3 (/d/x to /b/x) took effect, but at its place in the order of the decisions (write 101)"
                                        + " it is to be rejected: source_not_found")));
    }

    @Test
    void aDecisionWithoutAPlaceInTheOrderIsNamed() {
        play.entry("r2", in("closed", null, "rejected", "source_not_found"));

        assertNamed(play.run(), 6, "request r2 (/a to /e) is decided, and its entry does not say by which write");
    }

    @Test
    void twoDecisionsAtOnePlaceAreNamed() {
        play.entry("r2", in("closed", 101L, "rejected", "source_not_found"));

        assertNamed(play.run(), 6, "was decided by write 101, as another was");
    }

    @Test
    void aFalseReasonOfARejectionIsNamed() {
        play.entry("r2", in("closed", 102L, "rejected", "destination_exists"));

        assertNamed(play.run(), 6, "rejected as destination_exists", "it is to be rejected as source_not_found");
    }

    @Test
    void aVersionThatTheNamespaceDoesNotTakeIsAnInvalidRequestAndNothingElseIs() {
        Play versioned = new Play("/a/").sent("r1", "/a", "/b");
        versioned.requests.replaceAll(
                sent -> new Records.Request(sent.place(), sent.appendedAt(), "{\"request_id\":\"r1\",\"version\":17}"));
        versioned.refused("r1", "/a", "/b", "invalid_request");
        Play plain = new Play("/a/").sent("r1", "/a", "/b").refused("r1", "/a", "/b", "invalid_request");

        assertThat(Checker.check(versioned.run())).isEmpty();
        assertNamed(plain.run(), 6, "rejected as invalid_request", "it is to be completed");
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
    void onlyWhatNamesAPredecessorThatTheJournalLacksIsRejectedForIt() {
        Play lacking = new Play("/a/").sent("r1", "/a", "/b");
        lacking.requests.replaceAll(sent ->
                new Records.Request(sent.place(), sent.appendedAt(), "{\"request_id\":\"r1\",\"after\":[\"r0\"]}"));
        lacking.refused("r1", "/a", "/b", "unknown_predecessor");
        Play late = rejectedAsUnknownAfterTheEndOf("r0", Duration.ofSeconds(1));
        Play known = rejectedAsUnknownAfterTheEndOf("r0", Duration.ofMinutes(1));

        assertThat(Checker.check(lacking.run())).isEmpty();
        assertThat(Checker.check(late.run())).isEmpty();
        assertNamed(known.run(), 6, "rejected as unknown_predecessor", "it is to be completed");
    }

    @Test
    void aRejectionOfWhatWasPossibleIsNamed() {
        play.entry("r2", in("closed", 100L, "rejected", "source_not_found"));
        play.events.remove(new Event.Decided("r2"));

        assertNamed(play.withoutHistory(), 6, "rejected as source_not_found", "it is to be completed");
    }

    @Test
    void aFailureForLocksThatNobodyHasRefusedIsNamed() {
        play.entry("r2", in("closed", 102L, "failed", "locked"));

        assertNamed(play.run(), 6, "failed as locked, and nobody has refused it");
    }

    @Test
    void aCancelledRenameThatHasHadNoEffectIsNotNamed() {
        play.entry("r2", in("closed", 102L, "cancelled", null));

        assertNone(play.run());
    }

    @Test
    void aCancelledRenameThatWasCommittedIsNamedAndSoIsWhatItHasMoved() {
        Play moved = new Play(TREE).then("r1", "/c", "/d");
        moved.entry("r1", in("closed", 101L, "cancelled", null));

        List<Violation> found = Checker.check(moved.run());

        assertThat(found)
                .anySatisfy(violation -> assertThat(violation.words())
                        .contains("request r1 (/c to /d) was cancelled, and was committed at"));
        assertThat(found).extracting(Violation::point).contains(1, 4);
    }

    @Test
    void anOrderAgainstTheLogOfWhatWasCancelledIsNotNamed() {
        Play swapped = new Play(TREE)
                .sent("r1", "/c", "/e")
                .sent("r2", "/c", "/f")
                .decided("r1", "/c", "/e", false)
                .ended("r1")
                .decided("r2", "/c", "/f", false)
                .ended("r2");
        swapped.entry("r2", in("closed", 102L, "cancelled", null)).entry("r1", deliveredAt(9));

        assertNone(swapped.run());
    }

    @Test
    void aCompletedRenameThatHasMovedNothingIsNamed() {
        Play none = new Play(TREE).then("r1", "/c", "/d");

        assertNamed(
                none.spoil("/d", at("/c")).run(),
                6,
                "expected that it has moved 1 documents, found that it has moved 0");
    }

    @Test
    void aDocumentWhereNoRenamePutsItIsNamed() {
        assertNamed(
                play.spoil("/d/y", at("/b/z")).run(), 6, "expected the document id of /a/y at /d/y, found it at /b/z");
    }

    @Test
    void numbersThatAreNotThoseOfTheDecidingWritesAreNamed() {
        Play apart = new Play(TREE).then("r1", "/a", "/d").then("r2", "/b", "/e");
        apart.entry("r2", in("closed", 99L, "completed", null));

        assertThat(Checker.check(apart.run()))
                .extracting(Violation::words)
                .anySatisfy(
                        words -> assertThat(words)
                                .contains(
                                        "request r2 (/b to /e) was decided after request r1 (/a to /d), and its entry says by write 99"));
    }

    @Test
    void anOrderAgainstRealTimeIsNamed() {
        Play apart = new Play(TREE).then("r1", "/a", "/d").then("r2", "/b", "/e");
        apart.entry("r2", in("closed", 99L, "completed", null));

        assertNamed(
                apart.withoutHistory(), 6, "request r1 (/a to /d) was answered before request r2 (/b to /e) was sent");
        assertThat(Checker.check(apart.run()))
                .anySatisfy(violation -> assertThat(violation.words()).contains("was answered before"));
    }

    @Test
    void anOrderAgainstTheLogIsNamed() {
        Play swapped = new Play(TREE)
                .sent("r1", "/c", "/e")
                .sent("r2", "/c", "/f")
                .decided("r1", "/c", "/e", false)
                .ended("r1")
                .decided("r2", "/c", "/f", false)
                .ended("r2");
        assertNone(swapped.run());

        swapped.entry("r1", deliveredAt(9));

        assertNamed(swapped.run(), 6, "stands in the log at", "which overlaps it, but was decided later");
    }

    @Test
    void requestsOfOnePartitionThatDoNotOverlapMayBeDecidedInAnyOrder() {
        Play apart = new Play(TREE)
                .sent("r1", "/a", "/d")
                .sent("r2", "/b", "/e")
                .decided("r1", "/a", "/d", false)
                .ended("r1")
                .decided("r2", "/b", "/e", false)
                .ended("r2");

        assertNone(apart.entry("r1", deliveredAt(9)).run());
    }

    // point 7

    @Test
    void aHoldThatIsLeftIsNamed() {
        play.holds.add(new LockDump.Hold("files", "/a", "exclusive", "h1", "r1", "worker-1"));

        assertNamed(play.run(), 7, "expected none, found a hold: /a of files");
    }

    @Test
    void aClaimThatIsLeftIsNamed() {
        play.claims.add(new LockDump.Claim("files", "/a", "shared", "r1"));

        assertNamed(play.run(), 7, "expected none, found a claim: /a of files");
    }

    @Test
    void anEntryThatIsOpenIsNamed() {
        play.entry("r2", in("rejected", 102L, "rejected", "source_not_found"));

        assertNamed(play.run(), 7, "expected none, found a entry: request r2 (/a to /e) is rejected");
    }

    @Test
    void aPointInTimeThatIsOpenIsNamed() {
        play.openContexts = 1;

        assertNamed(play.run(), 7, "expected no open point in time, found 1");
    }

    // point 8

    @Test
    void whatTookTooLongIsNamed() {
        play.bounds.add(new Run.Bound("the roll-forward", Duration.ofSeconds(5), Duration.ofSeconds(5)));
        assertNone(play.run());
        play.bounds.add(new Run.Bound("the roll-forward", Duration.ofSeconds(6), Duration.ofSeconds(5)));

        assertNamed(play.run(), 8, "the roll-forward took PT6S, and may take PT5S at most");
    }

    // point 9

    @Test
    void aLateWriteOfAFencedProcessIsNamed() {
        play.events.add(new Event.Fenced("worker-1"));
        play.events.add(new Event.Wrote("r1", "worker-1", "id of /a/z", "/a/z", "/d/z"));

        assertThat(Checker.check(play.run())).extracting(Violation::point).containsExactly(4, 9);
    }

    @Test
    void whatAFencedProcessWritesAsTheOwnerWouldIsNone() {
        play.events.add(play.events.indexOf(new Event.Decided("r1")), new Event.Fenced("worker-1"));

        assertNone(play.run());
    }

    // documents of others

    @Test
    void aDocumentThatOthersCreateBeforeTheCommitMustMove() {
        Play theirs = new Play(TREE);
        theirs.events.add(new Event.Others("new", "/a/new", "digest of new"));
        theirs.then("r1", "/a", "/d");
        theirs.found().add(Trees.standing(Trees.file("new"), "/d/new"));
        assertNone(theirs.run());

        assertNamed(theirs.spoil("/d/new", at("/a/new")).run(), 6, "found the document new", "at /a/new");
    }

    @Test
    void aDocumentThatOthersCreateWhileTheRenameRunsMayStay() {
        for (String path : List.of("/a/new", "/d/new")) {
            Play theirs = new Play(TREE).then("r1", "/a", "/d");
            theirs.events.add(
                    theirs.events.indexOf(new Event.Ended("r1")), new Event.Others("new", "/a/new", "digest of new"));
            theirs.found().add(Trees.standing(Trees.file("new"), path));

            assertNone(theirs.run());
        }
    }

    @Test
    void aDocumentThatOthersHaveDeletedDoesNotComeBack() {
        Play theirs = new Play(TREE);
        theirs.events.add(new Event.Others("id of /a/x", null, null));
        theirs.then("r1", "/a", "/d");
        assertNamed(theirs.run(), 6, "found the document id of /a/x, which others have created or deleted, at /d/x");

        assertNone(theirs.without("/d/x").run());
    }

    @Test
    void aDirectoryThatOthersHaveDeletedIsMissingWhereverWhatStoodBelowItIsMoved() {
        Play theirs = new Play("/a/", "/a/x/", "/a/x/f");
        theirs.events.add(new Event.Others("id of /a/x/", null, null));
        theirs.then("r1", "/a/x", "/b");

        assertNone(theirs.without("/b").run());
    }

    @Test
    void a_named_directory_that_others_have_made_again_is_moved_with_what_is_below_it() {
        Play theirs = new Play("/a/", "/a/x/", "/a/x/f");
        TreeDocument directory = theirs.model.at("/a/x").orElseThrow();
        theirs.events.add(new Event.Others(directory.id(), null, null));
        theirs.events.add(new Event.Others(directory.id(), "/a/x", directory.digest()));
        theirs.thenOf("a/x/", "r1", "/a/x", "/b");

        assertNone(theirs.run());
    }

    @Test
    void anEditOfOthersIsNotLost() {
        Play theirs = new Play(TREE);
        theirs.events.add(new Event.Others("id of /a/x", "/a/x", "edited"));
        theirs.then("r1", "/a", "/d");
        assertNamed(theirs.run(), 1, "expected the contents of the document id of /a/x at /d/x");

        assertNone(theirs.spoil(
                        "/d/x",
                        standing -> numbered(
                                Trees.standing(new TreeDocument("id of /a/x", false, "edited", null), "/d/x"), 7))
                .run());
    }

    @Test
    void aRejectionForADocumentOfOthersIsTrue() {
        Play theirs = new Play(TREE);
        theirs.events.add(new Event.Others("new", "/d", "digest of new"));
        theirs.sent("r1", "/a", "/d");
        theirs.decided("r1", "/a", "/d", false);
        theirs.ended("r1");
        theirs.model.undo();
        theirs.events.removeIf(event -> event instanceof Event.Wrote);
        theirs.entry("r1", in("closed", 101L, "rejected", "destination_exists"));
        theirs.found().add(Trees.standing(Trees.file("new"), "/d"));

        assertNone(theirs.run());
    }

    @Test
    void aRenameOverADocumentInADirectoryOfOthersIsPossible() {
        Play theirs = new Play(TREE);
        TreeDocument directory = theirs.model.at("/a").orElseThrow();
        theirs.events.add(new Event.Others(directory.id(), null, null));
        theirs.events.add(new Event.Others(directory.id(), "/a", directory.digest()));
        theirs.then("r1", "/c", "/a/x", true);

        assertNone(theirs.run());
    }

    @Test
    void a_destination_is_free_after_a_rename_removed_its_document_and_left_a_newer_source() {
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

        assertNone(newer.run());
    }

    @Test
    void aRejectionOfAnOlderRequestIsTrueWhereNothingElseIsInTheWay() {
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

            assertNamed(older.run(), 6, destination.equals("/d") ? "to be completed" : "to be rejected as");
            older.namespace = Trees.FILES.with(new Rules(Granularity.TREE, 1, VersionOwner.EXTERNAL, null, 0));
            if (destination.equals("/d")) {
                assertNone(older.run());
            } else {
                assertNamed(older.run(), 6, "it is to be rejected as destination_exists");
            }
        }
    }

    @Test
    void ofManyViolationsOfOnePointTheFirstAreTold() {
        Play many = new Play(TREE);
        for (int i = 0; i < 25; i++) {
            many.claims.add(new LockDump.Claim("files", "/" + i, "shared", "r" + i));
        }

        assertThat(Checker.check(many.run())).hasSize(Findings.TOLD + 1).endsWith(new Violation(7, "and 5 more"));
    }
}
