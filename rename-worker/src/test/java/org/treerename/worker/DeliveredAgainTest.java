package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.Repeats;
import org.treerename.journal.StaleJournal;
import org.treerename.journal.State;
import org.treerename.journal.UnmetDependency;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.Reason;
import org.treerename.store.Interference;
import org.treerename.store.Version;
import org.treerename.store.Versioned;

/** Tests requests that Kafka delivers more than once. */
class DeliveredAgainTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Delivery missing(String requestId, String source) {
        Delivery delivery = Deliveries.of(Deliveries.rename(requestId, "files", source, "/b"));
        return new Delivery(
                delivery.asked(),
                delivery.digest(),
                delivery.place(),
                delivery.appendedAt(),
                UnmetDependency.unknown("r0"));
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
    void an_entry_keeps_the_time_of_the_youngest_record_of_its_request() {
        world.withTree();
        world.renamer().run(aToB);
        Instant later = Deliveries.APPENDED.plusSeconds(9);

        world.renamer().run(Deliveries.again(aToB, 3, 7, Deliveries.APPENDED));
        world.renamer().run(Deliveries.again(aToB, 3, 5, later));
        world.renamer().run(Deliveries.again(aToB, 4, 1, Deliveries.APPENDED));
        world.renamer().run(aToB);

        assertThat(world.entry("r1").repeats()).isEqualTo(new Repeats(true, later));
    }

    @Test
    void an_ended_request_is_answered_from_the_journal_despite_a_missing_predecessor() {
        world.withTree();
        Delivery first = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
        Answer ended = world.renamer().run(first);

        assertThat(world.renamer("worker-2").run(missing("r1", "/a"))).isEqualTo(ended);
        assertThat(world.outcomes.of("r1")).hasSize(1);
    }

    @Test
    void writes_the_entry_before_a_repeated_delivery_is_answered() {
        world.withTree();
        world.renamer().run(aToB);
        long noOps = world.entry("r1").noOps();

        world.renamer("worker-2").run(aToB);

        assertThat(world.entry("r1").noOps()).isEqualTo(noOps + 1);
    }

    @Test
    void a_rejected_request_delivered_again_stays_rejected_although_it_could_succeed_now() {
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

        assertThat(world.locks.tables())
                .allSatisfy(lock -> assertThat(lock.claims()).isEmpty());
    }

    @Test
    void a_reused_id_while_others_hold_its_locks_leaves_no_claim() {
        world.withTree();
        world.renamer().run(aToB);
        world.heldByAnother("/b", "/c");

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/b", "/d")));

        assertThat(world.locks.tables())
                .allSatisfy(lock -> assertThat(lock.claims()).isEmpty());
    }

    @Test
    void a_reused_request_id_is_reported_and_changes_nothing() {
        world.withTree();
        world.renamer().run(aToB);

        Answer answer = world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/b", "/c")));

        assertThat(answer).isEqualTo(new Answer.Reused());
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_request_that_another_process_runs_is_answered_after_that_process_has_ended_it() {
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
    void publishes_no_unacknowledged_end() {
        Delivery invalid = Deliveries.of(new InvalidRequest("r1", null, "source: is missing"));
        Ownership own = new Ownership("worker-1", 1, null);
        JournalEntry unacknowledged = JournalEntry.prepared(invalid, own)
                .ended(State.REJECTED, new Ending(world.time.now(), "{\"never\":\"acknowledged\"}"));
        world.calls.interfere(Interference.notArrivedAt(1));
        Stores stores = world.stores();
        Journal dirty = new StaleJournal(stores.journal(), new Versioned<>(unacknowledged, new Version(7, 1)));
        Stores meetsDirty = new Stores(stores.namespaces(), dirty, stores.locks(), stores.tree(), stores.outcomes());

        new Renamer(meetsDirty, world.context("worker-1")).run(invalid);

        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.INVALID_REQUEST);
        world.assertQuiet();
    }
}
