package org.treerename.producer.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.JournalStep;
import org.treerename.journal.LockBooks;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.producer.forecast.Forecast.Obstacle;
import org.treerename.producer.forecast.Forecast.Wait;
import org.treerename.producer.forecast.Pace.Basis;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.InMemoryTreeSurvey;
import org.treerename.tree.TreeStore;
import org.treerename.worker.World;

class DryRunTest {

    private final World world = new World();

    private DryRun dryRun() {
        Stores stores = world.stores();
        return new DryRun(
                LockBooks.of(stores.namespaces(), stores.journal(), stores.locks()),
                world.processes,
                stores.tree(),
                new InMemoryTreeSurvey(world.tree, 10),
                world.journal);
    }

    private Forecast of(String source, String destination) {
        return dryRun().of(Deliveries.rename("r1", "files", source, destination));
    }

    private static Obstacle rejected(Reason reason, String message) {
        return new Obstacle(Status.REJECTED, reason, message);
    }

    @Test
    void a_rename_without_obstacles_could_begin_and_nothing_is_written() {
        world.withTree();

        Forecast forecast = of("/a", "/b");

        assertThat(forecast)
                .returns(true, Forecast::couldBegin)
                .returns(5L, Forecast::total)
                .returns(Map.of(World.INDEX, 5L), Forecast::documents)
                .returns(new Pace(Pace.ASSUMED, Basis.ASSUMED, 0), Forecast::pace);
        assertThat(world.calls.made()).noneMatch(Interference.Call::isWrite);
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));
        assertThat(world.outcome("r1").moved()).isEqualTo(forecast.total());
    }

    @Test
    void returns_every_reason_and_the_first_one_is_that_of_the_outcome() {
        world.withTree();
        world.file("f", "/f");

        Forecast forecast = of("/missing", "/f/x");

        assertThat(forecast.couldBegin()).isFalse();
        assertThat(forecast.obstacles())
                .containsExactly(
                        rejected(Reason.SOURCE_NOT_FOUND, "no document is at or below /missing"),
                        rejected(Reason.ANCESTOR_IS_A_FILE, "/f is a file, so no document can be below it"),
                        rejected(Reason.DESTINATION_PARENT_NOT_FOUND, "there is no directory /f"));
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/missing", "/f/x")));
        assertThat(world.outcome("r1"))
                .returns(forecast.obstacles().getFirst().reason(), Outcome::reason)
                .returns(forecast.obstacles().getFirst().message(), Outcome::message);
    }

    @Test
    void reports_an_invalid_request_without_a_read_of_the_tree() {
        assertThat(of("a", "/b").obstacles())
                .singleElement()
                .returns(Reason.INVALID_PATH, Obstacle::reason)
                .returns(Status.REJECTED, Obstacle::status);
        assertThat(dryRun().of(Deliveries.rename("r1", "nowhere", "/a", "/b")))
                .returns(
                        List.of(rejected(Reason.UNKNOWN_NAMESPACE, "no namespace is called \"nowhere\"")),
                        Forecast::obstacles)
                .returns(null, Forecast::pace);
        assertThat(world.calls.made()).noneMatch(call -> call.name().startsWith("tree."));
    }

    @Test
    void a_rename_to_its_own_source_moves_nothing() {
        world.withTree();

        assertThat(of("/a", "/a")).returns(true, Forecast::couldBegin).returns(0L, Forecast::total);
    }

    @Test
    void reports_the_holder_of_a_lock_with_its_process() {
        world.withTree();
        Hold hold = world.heldByAnother("/a/d", "/c");
        world.process("worker-9", ProcessState.LIVE);

        Forecast forecast = of("/a", "/b");

        assertThat(forecast.couldBegin()).isFalse();
        assertThat(forecast.obstacles()).isEmpty();
        assertThat(forecast.waits())
                .singleElement()
                .returns("worker-9", Wait::processId)
                .returns("live", Wait::processState)
                .returns(Instant.ofEpochMilli(hold.age().appendedAtMillis()), Wait::askedAt)
                .extracting(wait -> wait.blocker().toString())
                .isEqualTo("/a/d is held exclusively by request other of process worker-9");
        assertThat(of("/ab", "/b").waits()).as("a lock that does not overlap").isEmpty();
    }

    @Test
    void reports_the_owner_of_a_claim_and_the_holds_of_a_fenced_process() {
        world.withTree();
        world.heldByAnother("/a", "/b");
        world.process("worker-9", ProcessState.FENCED);
        Hold waiting = new Hold("hold-of-waiting", "worker-8", new LockPriority(7, "waiting"));
        world.locks.take("files", new TreePath("/b"), LockMode.EXCLUSIVE, waiting);
        world.locks.release(
                LockSet.tree("files", new TreePath("/b"), new TreePath("/b")), Release.ofHold("hold-of-waiting"));

        assertThat(of("/ab", "/b").waits())
                .extracting(
                        wait -> wait.blocker().requestId(),
                        Wait::processId,
                        Wait::processState,
                        wait -> wait.blocker().held().isPresent())
                .containsExactlyInAnyOrder(
                        tuple("other", "worker-9", "fenced", true), tuple("waiting", "", "unknown", false));
    }

    @Test
    void a_rename_waits_for_no_table_that_it_does_not_need() {
        world.withTree();
        for (int i = 0; i < LockTable.MOST_ENTRIES; i++) {
            Hold hold = new Hold("h" + i, "worker-9", new LockPriority(i, "q" + i));
            world.locks.take("files", new TreePath("/x/" + i), LockMode.EXCLUSIVE, hold);
        }
        Hold documents = new Hold("of-documents", "worker-9", new LockPriority(7, "documents"));
        world.locks.take(LockSet.documents("files", List.of(new TreePath("/a/1"), new TreePath("/a/2"))), documents);

        assertThat(of("/a", "/b").waits()).isEmpty();
        assertThat(of("/a", "/x/new").waits()).as("waits for the full table").isNotEmpty();
    }

    @Test
    void waits_for_no_dead_hold() {
        world.withTree();
        world.heldByAnother("/a", "/b");
        var found = world.journal.read("other").orElseThrow();
        world.journal.write(JournalStep.RETRY, found.value().released(), found.version());

        assertThat(of("/a", "/b")).returns(true, Forecast::couldBegin);
    }

    @Test
    void a_refused_tree_is_an_obstacle() {
        Stores refusing = world.stores(new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public Map<String, String> indices(Namespace namespace) {
                throw new RefusedException("two namespaces share an index");
            }
        });
        DryRun dryRun = new DryRun(
                LockBooks.of(refusing.namespaces(), refusing.journal(), refusing.locks()),
                world.processes,
                refusing.tree(),
                new InMemoryTreeSurvey(world.tree, 10),
                world.journal);

        assertThat(dryRun.of(Deliveries.rename("r1", "files", "/a", "/b")).obstacles())
                .singleElement()
                .isEqualTo(new Obstacle(Status.FAILED, Reason.TREE_REFUSED, "two namespaces share an index"));
    }

    @Test
    void throws_if_elasticsearch_does_not_answer() {
        world.calls.interfere(Interference.before("tree.examine", 1, () -> {
            throw new NoAnswerException("no answer", null);
        }));

        assertThatThrownBy(() -> of("/a", "/b")).isInstanceOf(NoAnswerException.class);
    }

    /** Runs a rename of a directory with {@code files} documents. The move takes the time {@code took}. */
    private void renamed(String requestId, int files, Duration took) {
        world.directory(requestId, "/" + requestId);
        for (int i = 1; i < files; i++) {
            world.file(requestId + i, "/" + requestId + "/" + i);
        }
        world.calls.interfere(Interference.before("tree.move", 1, () -> world.time.advance(took)));
        world.renamer().run(Deliveries.of(Deliveries.rename(requestId, "files", "/" + requestId, "/z" + requestId)));
        world.calls.interfere(Interference.none());
        assertThat(world.outcome(requestId).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void the_pace_is_the_median_of_the_latest_renames_of_enough_documents() {
        world.withTree();
        renamed("small", 10, Duration.ofHours(1));
        assertThat(of("/a", "/b").pace()).isEqualTo(new Pace(Pace.ASSUMED, Basis.ASSUMED, 0));

        renamed("slow", 1_000, Duration.ofSeconds(100));
        renamed("usual", 1_000, Duration.ofSeconds(2));
        renamed("fast", 1_000, Duration.ofSeconds(1));

        Forecast forecast = of("/a", "/b");
        assertThat(forecast.pace()).isEqualTo(new Pace(500, Basis.MEASURED, 3));
        assertThat(forecast.takes()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void the_pace_is_the_limit_of_the_namespace_if_that_is_smaller() {
        Namespace limited = World.FILES.with(new Rules(Granularity.TREE, 1, VersionOwner.SEQ_NO, null, 5));

        assertThat(Pace.of(limited, world.journal)).isEqualTo(new Pace(5, Basis.LIMITED, 0));
        assertThat(Pace.of(limited, world.journal).of(11)).isEqualTo(Duration.ofMillis(2_200));
    }

    @Test
    void ignores_the_pace_of_a_rename_that_was_rolled_forward() {
        world.withTree();
        renamed("usual", 1_000, Duration.ofSeconds(2));
        var found = world.journal.read("usual").orElseThrow();
        world.journal.write(JournalStep.TAKE_OVER, found.value().takenOver("janitor-1"), found.version());

        assertThat(of("/a", "/b").pace()).isEqualTo(new Pace(Pace.ASSUMED, Basis.ASSUMED, 0));
    }
}
