package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.UnmetDependency;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;

/**
 * Tests requests that are rejected, or that fail without a lock. Each test checks the reason. It also checks that no
 * lock and no unfinished entry remains.
 */
class RejectionTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Answer.Published published(String requestId) {
        return new Answer.Published(world.outcomes.of(requestId).getFirst());
    }

    private void assertRejected(ParsedRequest.RenameRequest request, Reason reason) {
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
    void an_invalid_path_is_rejected() {
        assertRejected(Deliveries.rename("r1", "files", "a", "/b"), Reason.INVALID_PATH);
    }

    @Test
    void a_directory_does_not_move_into_itself() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/a", "/a/d/new"), Reason.INTO_ITSELF);
    }

    @Test
    void a_missing_source_is_rejected() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/c", "/b"), Reason.SOURCE_NOT_FOUND);
    }

    @Test
    void nothing_moves_below_a_file() {
        world.withTree();
        assertRejected(Deliveries.rename("r1", "files", "/a", "/ab/a"), Reason.ANCESTOR_IS_A_FILE);
    }

    @Test
    void nothing_moves_below_a_missing_directory() {
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
    void a_directory_does_not_replace_a_filled_directory() {
        world.withTree();
        world.directory("b", "/b");
        assertRejected(Deliveries.replace("r1", "files", "/b", "/a"), Reason.DESTINATION_NOT_EMPTY);
    }

    @Test
    void a_record_before_the_watermark_is_rejected() {
        world.withTree();
        world.watermark.raise(aToB.appendedAt().plusMillis(1));

        assertRejected(Deliveries.rename("r1", "files", "/a", "/b"), Reason.EXPIRED);
    }

    @Test
    void a_request_with_a_missing_predecessor_is_rejected_without_a_lock() {
        world.withTree().heldByAnother("/a", "/b");
        SortedMap<String, String> before = world.paths();

        world.renamer().run(missing("r1", "/a"));

        Outcome outcome = world.outcome("r1");
        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.reason()).isEqualTo(Reason.UNKNOWN_PREDECESSOR);
        assertThat(outcome.message()).isEqualTo("depends on request r0, which has no journal entry");
        assertThat(world.paths()).isEqualTo(before);
        world.otherEnds("/a", "/b");
        world.assertQuiet();
    }

    @Test
    void a_request_with_a_parked_predecessor_fails_without_a_lock() {
        assertFailsWithoutALock(UnmetDependency.parked("r0"), "waited 10 s: depends on request r0, which is parked");
    }

    @Test
    void a_request_with_a_released_predecessor_fails_without_a_lock() {
        assertFailsWithoutALock(
                UnmetDependency.released("r0"),
                "depends on request r0, which was released for a retry and has not been processed since");
    }

    private void assertFailsWithoutALock(UnmetDependency unmet, String message) {
        world.withTree();
        Delivery delivery = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

        world.renamer()
                .run(new Delivery(delivery.asked(), delivery.digest(), delivery.place(), delivery.appendedAt(), unmet));

        assertThat(world.outcome("r1"))
                .returns(Status.FAILED, Outcome::status)
                .returns(Reason.LOCKED, Outcome::reason)
                .returns(message, Outcome::message);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
    }

    @Test
    void reports_an_invalid_path_and_an_expired_record_before_a_missing_predecessor() {
        world.withTree();
        world.renamer().run(missing("r1", "relative"));
        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.INVALID_PATH);

        world.watermark.raise(missing("r2", "/a").appendedAt().plusMillis(1));
        world.renamer().run(missing("r2", "/a"));
        assertThat(world.outcome("r2").reason()).isEqualTo(Reason.EXPIRED);
        world.assertQuiet();
    }
}
