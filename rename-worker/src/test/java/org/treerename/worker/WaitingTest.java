package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.Waiting;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;

/** Tests renames that wait because other requests hold locks that the renames need. */
class WaitingTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Answer.Published published(String requestId) {
        return new Answer.Published(world.outcomes.of(requestId).getFirst());
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
                .returns("other", Waiting::refusedBy)
                .returns("/a/d is held exclusively by request other of process worker-9", Waiting::refusal);
        world.assertQuiet();
    }

    @Test
    void a_rename_that_waited_too_long_fails_and_names_the_holder_of_the_lock() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.outcome("r1"))
                .returns(Status.FAILED, Outcome::status)
                .returns(Reason.LOCKED, Outcome::reason)
                .returns(
                        "waited 10 s: /a/d is held exclusively by request other of process worker-9", Outcome::message);
        assertThat(world.entry("r1").waiting().refusal())
                .isEqualTo("/a/d is held exclusively by request other of process worker-9");
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.otherEnds("/a/d", "/c");
        world.assertQuiet();
    }

    @Test
    void an_outage_does_not_count_as_a_wait_for_locks() {
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
    void a_waiting_rename_holds_no_lock_and_claims_the_locks_that_refused_it() {
        world.withTree();
        world.heldByAnother("/c", "/b");
        world.time.plan(Duration.ofSeconds(1), () -> {
            assertThat(world.locks.holdsAt("files", new TreePath("/a"))).isEmpty();
            assertThat(world.locks.claimsAt("files", new TreePath("/a"))).isEmpty();
            assertThat(world.locks.holdsAt("files", new TreePath("/b"))).containsExactly("hold-of-other");
            assertThat(world.locks.claimsAt("files", new TreePath("/b"))).containsExactly("r1");
            world.otherEnds("/c", "/b");
        });

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        world.assertQuiet();
    }

    @Test
    void a_worker_that_stops_during_a_wait_gives_back_and_the_next_delivery_completes() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(1), world.stop::request);

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1"))
                .returns(State.RETRY, JournalEntry::state)
                .satisfies(entry -> assertThat(entry.ownership().holdId()).isNull());
        assertThat(world.locks.tables())
                .allSatisfy(lock -> assertThat(lock.holds()).containsOnlyKeys("hold-of-other"))
                .allSatisfy(lock -> assertThat(lock.claims()).isEmpty());

        world.otherEnds("/a/d", "/c");
        Answer again = new Renamer(
                        world.stores(),
                        new ProcessContext(
                                "worker-2",
                                world.time,
                                world.context("worker-2").backoffs(),
                                World.LOCK_WAIT,
                                10,
                                new StopSignal()))
                .run(aToB);
        assertThat(again).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }
}
