package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.StaleProcessStore;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.request.InMemoryOutcomes;
import org.treerename.request.Outcome;
import org.treerename.request.Status;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.tree.Document;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.TreeStore;

class RollForwardTest {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    /** A request, and the expected paths and status after the end of the request. */
    private record Scenario(
            String name, Delivery delivery, Map<String, String> paths, Status status, Granularity granularity) {

        Scenario(String name, Delivery delivery, Map<String, String> paths, Status status) {
            this(name, delivery, paths, status, Granularity.TREE);
        }

        World begin() {
            World world = new World(granularity).withTree();
            world.directory("e", "/e");
            return world;
        }

        void assertEnded(World world) {
            assertThat(world.paths()).isEqualTo(paths);
            assertThat(world.outcome("r1").status()).isEqualTo(status);
            world.assertQuiet();
        }
    }

    private static Map<String, String> withE(Map<String, String> paths) {
        Map<String, String> all = new TreeMap<>(paths);
        all.put("e", "/e");
        return all;
    }

    private static final Scenario DIRECTORY =
            new Scenario("a directory", A_TO_B, withE(World.treeAt("/b")), Status.COMPLETED);

    private static Stream<Scenario> scenarios() {
        return Stream.of(
                DIRECTORY,
                new Scenario(
                        "a directory, with a lock on each document",
                        A_TO_B,
                        DIRECTORY.paths(),
                        Status.COMPLETED,
                        Granularity.DOCUMENT),
                new Scenario(
                        "a directory over an empty one",
                        Deliveries.of(Deliveries.replace("r1", "files", "/a", "/e")),
                        World.treeAt("/e"),
                        Status.COMPLETED),
                new Scenario(
                        "a rejection",
                        Deliveries.of(Deliveries.rename("r1", "files", "/a", "/ab")),
                        withE(World.treeAt("/a")),
                        Status.REJECTED));
    }

    private static List<Call> callsOf(Scenario scenario) {
        World world = scenario.begin();
        world.renamer().run(scenario.delivery());
        return world.calls.made();
    }

    private static List<Call> writesOf(Scenario scenario) {
        return callsOf(scenario).stream().filter(Call::isWrite).toList();
    }

    /**
     * Returns a world in which worker-1 has died at the call that the interference selects. worker-1 has no process
     * document in this world.
     */
    private static World diedAt(Scenario scenario, Interference where) {
        World world = scenario.begin();
        world.calls.interfere(where);
        assertThat(Death.of(() -> world.renamer().run(scenario.delivery()))).isTrue();
        world.calls.interfere(Interference.none());
        return world;
    }

    /** Returns a world with a PREPARED rename that holds its locks, and whose process is dead. */
    private static World preparedAndDead() {
        return diedAt(DIRECTORY, Death.after("journal.prepare", 1));
    }

    /** Returns a world with a MOVING rename whose process is dead. A part of the tree is at the new path. */
    private static World movingAndDead() {
        return diedAt(DIRECTORY, Death.after("tree.move", 2));
    }

    /**
     * Returns a world with a DONE rename that holds its locks, and whose process died before it published the outcome.
     */
    private static World doneAndDead() {
        return diedAt(DIRECTORY, Death.after("journal.write DONE", 1));
    }

    /** The journal entry of r1, the lock tables and all paths at one moment. */
    private record Snapshot(List<Versioned<JournalEntry>> entries, List<LockTable> locks, Map<String, String> paths) {
        static Snapshot of(World world) {
            return new Snapshot(world.journal.read("r1").stream().toList(), world.locks.tables(), world.paths());
        }
    }

    @Test
    void renames_whose_outcomes_wait_for_kafka_keep_no_other_rename_from_moving() throws InterruptedException {
        int renames = MovePermits.OF_A_NAMESPACE + 1;
        World world = new World();
        for (int i = 0; i < renames; i++) {
            world.directory("d" + i, "/from-" + i);
            Delivery delivery = Deliveries.of(Deliveries.rename("r" + i, "files", "/from-" + i, "/to-" + i));
            world.calls.interfere(Death.after("journal.write MOVING", 1));
            assertThat(Death.of(() -> world.renamer().run(delivery))).isTrue();
        }
        world.calls.interfere(Interference.none());
        CountDownLatch waiting = new CountDownLatch(renames);
        Stores stores = new Stores(world.namespaces, world.journal, world.locks, world.tree, (requestId, outcome) -> {
            waiting.countDown();
            try {
                assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        RollForward rollForward = world.rollForward("janitor-1", stores);
        Queue<Result> results = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < renames; i++) {
                String id = "r" + i;
                threads.execute(() -> results.add(rollForward.ofDead(id)));
            }
        }

        assertThat(results).hasSize(renames).containsOnly(Result.CLOSED);
    }

    @TestFactory
    Stream<DynamicTest> does_not_touch_the_rename_of_a_live_process_after_any_write() {
        return scenarios()
                .flatMap(scenario -> writesOf(scenario).stream()
                        .map(last -> dynamicTest(scenario.name() + ", silent after " + last, () -> {
                            World world = diedAt(scenario, Death.at(last, true));
                            world.process("worker-1", ProcessState.LIVE);
                            Snapshot before = Snapshot.of(world);

                            Result result = world.rollForward("janitor-1").ofDead("r1");

                            assertThat(result).isEqualTo(Result.LEFT_ALONE);
                            assertThat(Snapshot.of(world)).isEqualTo(before);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> finishes_the_rename_of_a_dead_process_after_any_write() {
        return scenarios()
                .flatMap(scenario -> writesOf(scenario).stream()
                        .flatMap(last -> Stream.of("fenced", "stopped", "missing")
                                .map(owner -> dynamicTest(scenario.name() + ", " + owner + " after " + last, () -> {
                                    World world = diedAt(scenario, Death.at(last, true));
                                    if (!owner.equals("missing")) {
                                        world.process("worker-1", ProcessState.ofStored(owner));
                                    }

                                    world.rollForward("janitor-1").ofDead("r1");
                                    world.renamer("worker-2").run(scenario.delivery());

                                    scenario.assertEnded(world);
                                }))));
    }

    @TestFactory
    Stream<DynamicTest> the_next_janitor_takes_over_from_a_janitor_that_dies_at_any_write() {
        return Stream.of("prepared", "moving", "done").flatMap(state -> {
            List<Call> writes = writesOfRollForward(state);
            return writes.stream()
                    .flatMap(last -> Stream.of(true, false)
                            .map(arrived ->
                                    dynamicTest(state + ", dead " + (arrived ? "after " : "before ") + last, () -> {
                                        World world = dead(state);
                                        world.calls.interfere(Death.at(last, arrived));
                                        RollForward dying = world.rollForward("janitor-1");
                                        assertThat(Death.of(() -> dying.ofDead("r1")))
                                                .isTrue();
                                        world.calls.interfere(Interference.none());
                                        world.process("janitor-1", ProcessState.FENCED);

                                        world.rollForward("janitor-2").ofDead("r1");
                                        world.renamer("worker-2").run(A_TO_B);

                                        DIRECTORY.assertEnded(world);
                                    })));
        });
    }

    private static World dead(String state) {
        return switch (state) {
            case "prepared" -> preparedAndDead();
            case "moving" -> movingAndDead();
            case "done" -> doneAndDead();
            default -> throw new IllegalArgumentException(state);
        };
    }

    private static List<Call> writesOfRollForward(String state) {
        World world = dead(state);
        int before = world.calls.writesMade().size();
        world.rollForward("janitor-1").ofDead("r1");
        return world.calls.writesMade().subList(before, world.calls.writesMade().size());
    }

    /** Runs this number of ticks of a live janitor. */
    private static void ticks(World world, int times) {
        world.process("janitor-1", ProcessState.LIVE);
        for (int i = 0; i < times; i++) {
            try {
                world.rollForward("janitor-1").ofDead("r1");
            } catch (NoAnswerException e) {
                assertThat(e).hasMessageContaining("lost");
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> a_write_of_a_roll_forward_whose_answer_is_lost_changes_nothing_about_the_end() {
        return Stream.of("prepared", "moving", "done")
                .flatMap(state -> writesOfRollForward(state).stream()
                        .map(call -> dynamicTest(state + ", " + call, () -> {
                            World world = dead(state);
                            world.calls.interfere(Interference.answerLostAt(call.number()));

                            ticks(world, 2);
                            world.renamer("worker-2").run(A_TO_B);

                            DIRECTORY.assertEnded(world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> randomly_lost_calls_of_a_roll_forward_change_nothing_about_the_end() {
        return Stream.of("prepared", "moving", "done")
                .flatMap(state -> LongStream.rangeClosed(1, 30)
                        .mapToObj(seed -> dynamicTest(state + ", seed " + seed, () -> {
                            World world = dead(state);
                            world.process("janitor-1", ProcessState.LIVE);
                            world.calls.interfere(Interference.randomly(seed, 0.15));

                            for (int tick = 0; tick < 20; tick++) {
                                try {
                                    world.rollForward("janitor-1").ofDead("r1");
                                } catch (NoAnswerException e) {
                                    assertThat(e).hasMessageContaining("Call");
                                }
                            }
                            world.renamer("worker-2").run(A_TO_B);

                            DIRECTORY.assertEnded(world);
                        })));
    }

    @Test
    void gives_back_a_prepared_rename_with_its_holds_and_claims_and_the_next_delivery_completes() {
        World world = DIRECTORY.begin();
        world.heldByAnother("/a/d", "/c");
        world.process("worker-9", ProcessState.LIVE);
        world.calls.interfere(Death.after("journal.prepare", 1));
        Death.of(() -> world.renamer().run(A_TO_B));
        world.calls.interfere(Interference.none());

        Result result = world.rollForward("janitor-1").ofDead("r1");
        List<LockTable> left = world.locks.tables();
        JournalEntry released = world.entry("r1");
        world.otherEnds("/a/d", "/c");
        world.renamer("worker-2").run(A_TO_B);

        assertThat(result).isEqualTo(Result.RELEASED);
        assertThat(left).allSatisfy(lock -> {
            assertThat(lock.claims()).isEmpty();
            assertThat(lock.holds()).containsOnlyKeys("hold-of-other");
        });
        assertThat(released)
                .returns(State.RETRY, JournalEntry::state)
                .returns(new Ownership("janitor-1", 2, null), JournalEntry::ownership);
        assertThat(world.outcome("r1")).returns("worker-2", Outcome::processId).returns(false, Outcome::rolledForward);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void rolls_a_moving_rename_forward_and_reports_it_in_the_outcome() {
        World world = movingAndDead();
        JournalEntry before = world.entry("r1");

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(result).isEqualTo(Result.CLOSED);
        assertThat(world.outcome("r1"))
                .returns(true, Outcome::rolledForward)
                .returns("janitor-1", Outcome::processId)
                .returns(before.decided().orElseThrow().committedAt(), Outcome::committedAt);
        assertThat(world.entry("r1").ownership())
                .isEqualTo(new Ownership("janitor-1", 2, before.ownership().holdId()));
        DIRECTORY.assertEnded(world);
    }

    @Test
    void closes_an_ended_rename_although_its_namespace_cannot_be_read() {
        World world = doneAndDead();

        Result result = world.rollForward("janitor-1", unreadable(world)).ofDead("r1");

        assertThat(result).isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void parks_a_moving_rename_whose_namespace_cannot_be_read() {
        World world = movingAndDead();

        Result result = world.rollForward("janitor-1", unreadable(world)).ofDead("r1");

        assertThat(result).isEqualTo(Result.PARKED);
        assertThat(world.entry("r1").parking()).asString().contains("of a later protocol");
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    private static Stores unreadable(World world) {
        Stores stores = world.stores();
        Namespaces later = new InMemoryNamespaces() {
            @Override
            public synchronized Optional<Namespace> find(String name) {
                throw new IllegalStateException("of a later protocol");
            }
        };
        return new Stores(later, stores.journal(), stores.locks(), stores.tree(), stores.outcomes());
    }

    @Test
    void publishes_the_outcome_that_the_process_of_a_done_rename_wrote() {
        World world = doneAndDead();
        String outcome = world.entry("r1").ended().map(Ending::outcome).orElseThrow();

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(result).isEqualTo(Result.CLOSED);
        assertThat(world.outcomes.log()).containsExactly(new InMemoryOutcomes.Published("r1", outcome));
        assertThat(world.outcome("r1")).returns("worker-1", Outcome::processId).returns(false, Outcome::rolledForward);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void does_nothing_for_a_request_without_an_entry() {
        World world = DIRECTORY.begin();

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(world.journal.entries()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> a_janitor_that_loses_the_race_for_a_take_over_changes_nothing() {
        return Stream.of("prepared", "moving", "done")
                .map(state -> dynamicTest(state, () -> {
                    World world = dead(state);
                    List<Snapshot> ofFasterJanitor = new ArrayList<>();
                    String write = "journal.write " + world.entry("r1").state();
                    world.calls.interfere(Interference.before(write, 1, () -> {
                        world.rollForward("janitor-2").ofDead("r1");
                        ofFasterJanitor.add(Snapshot.of(world));
                    }));

                    Result result = world.rollForward("janitor-1").ofDead("r1");

                    assertThat(result).isEqualTo(Result.LOST);
                    assertThat(ofFasterJanitor).containsExactly(Snapshot.of(world));
                }));
    }

    @Test
    void a_worker_that_writes_before_the_take_over_keeps_its_rename() {
        World world = movingAndDead();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            Versioned<JournalEntry> found = world.journal.read("r1").orElseThrow();
            world.journal.write(JournalStep.NO_OP, found.value().withNoOp(), found.version());
        }));

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(result).isEqualTo(Result.LOST);
        assertThat(world.entry("r1").ownership().processId()).isEqualTo("worker-1");
    }

    /** Creates a tree at the old path: one new document, and one document with the id of a moved document. */
    private static void newTreeAtTheOldPlace(World world) {
        world.directory("new", "/a");
        world.file("a1", "/a/1");
    }

    private static Map<String, String> withNewTree() {
        Map<String, String> paths = new TreeMap<>(DIRECTORY.paths());
        paths.put("new", "/a");
        paths.put("a1", "/a/1");
        return paths;
    }

    /**
     * In each test, the worker freezes at one call: before the call takes effect, or before the worker reads the
     * answer.
     */
    @TestFactory
    Stream<DynamicTest> a_worker_that_wakes_after_it_was_taken_over_changes_nothing() {
        return callsOf(DIRECTORY).stream()
                .flatMap(call -> Stream.of(true, false)
                        .map(before -> dynamicTest((before ? "before " : "after ") + call, () -> {
                            World world = DIRECTORY.begin();
                            List<Map<String, Document>> closed = new ArrayList<>();
                            world.calls.interfere(frozenAt(call, before, () -> {
                                world.calls.interfere(Interference.none());
                                world.process("worker-1", ProcessState.FENCED);
                                world.rollForward("janitor-1").ofDead("r1");
                                if (world.journal
                                        .read("r1")
                                        .filter(e -> e.value().state() == State.CLOSED)
                                        .isPresent()) {
                                    newTreeAtTheOldPlace(world);
                                    closed.add(documents(world));
                                }
                            }));

                            world.renamer().run(A_TO_B);
                            world.rollForward("janitor-1").ofDead("r1");
                            world.renamer("worker-2").run(A_TO_B);

                            if (closed.isEmpty()) {
                                DIRECTORY.assertEnded(world);
                            } else {
                                assertThat(world.paths()).isEqualTo(withNewTree());
                                assertThat(documents(world)).isEqualTo(closed.getFirst());
                                assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
                                world.assertQuiet();
                            }
                        })));
    }

    /**
     * When the worker wakes, a janitor has taken the rename over and has then died. The next janitor continues the
     * rename.
     */
    @TestFactory
    Stream<DynamicTest> a_worker_that_wakes_just_after_it_was_taken_over_leaves_the_entry_to_its_new_owner() {
        return callsOf(DIRECTORY).stream()
                .flatMap(call -> Stream.of(true, false)
                        .map(before -> dynamicTest((before ? "before " : "after ") + call, () -> {
                            World world = DIRECTORY.begin();
                            List<String> taken = new ArrayList<>();
                            List<String> ownersThen = new ArrayList<>();
                            world.calls.interfere(frozenAt(call, before, () -> {
                                world.calls.interfere(Interference.none());
                                world.process("worker-1", ProcessState.FENCED);
                                if (justTakenOver(world)) {
                                    taken.add("janitor-1");
                                    world.time.plan(Duration.ofSeconds(1), () -> {
                                        ownersThen.add(
                                                world.entry("r1").ownership().processId());
                                        world.process("janitor-1", ProcessState.FENCED);
                                        world.rollForward("janitor-2").ofDead("r1");
                                    });
                                }
                            }));

                            world.renamer().run(A_TO_B);
                            world.time.advance(Duration.ofSeconds(1));
                            world.rollForward("janitor-2").ofDead("r1");
                            world.renamer("worker-2").run(A_TO_B);

                            assertThat(ownersThen).isEqualTo(taken);
                            DIRECTORY.assertEnded(world);
                        })));
    }

    /** Lets janitor-1 die after its take-over is acknowledged. Returns false if there was no rename to take over. */
    private static boolean justTakenOver(World world) {
        Optional<JournalEntry> entry = world.journal.read("r1").map(Versioned::value);
        if (entry.isEmpty() || !entry.get().state().needsOwner()) {
            return false;
        }
        world.calls.interfere(Death.after("journal.write " + entry.get().state(), 1));
        assertThat(Death.of(() -> world.rollForward("janitor-1").ofDead("r1"))).isTrue();
        world.calls.interfere(Interference.none());
        return true;
    }

    /** Returns every document with its version, by document id. */
    private static Map<String, Document> documents(World world) {
        Map<String, Document> documents = new TreeMap<>();
        world.paths()
                .keySet()
                .forEach(id ->
                        documents.put(id, world.tree.document(World.INDEX, id).orElseThrow()));
        return documents;
    }

    private static Interference frozenAt(Call at, boolean before, Runnable meanwhile) {
        return new Interference() {
            @Override
            public void before(Call call) {
                if (before && call.equals(at)) {
                    meanwhile.run();
                }
            }

            @Override
            public void after(Call call) {
                if (!before && call.equals(at)) {
                    meanwhile.run();
                }
            }
        };
    }

    /** In each test, a janitor freezes at one call of its roll-forward, and another janitor takes over the rename. */
    @TestFactory
    Stream<DynamicTest> a_janitor_that_wakes_after_it_was_taken_over_changes_nothing() {
        return Stream.of("prepared", "moving", "done").flatMap(state -> {
            World reference = dead(state);
            int before = reference.calls.made().size();
            reference.rollForward("janitor-1").ofDead("r1");
            List<Call> calls = reference.calls.made();
            return calls.subList(before, calls.size()).stream()
                    .flatMap(call -> Stream.of(true, false)
                            .map(early -> dynamicTest(state + (early ? ", before " : ", after ") + call, () -> {
                                World world = dead(state);
                                world.calls.interfere(frozenAt(call, early, () -> {
                                    world.calls.interfere(Interference.none());
                                    world.process("janitor-1", ProcessState.FENCED);
                                    world.rollForward("janitor-2").ofDead("r1");
                                    world.renamer("worker-2").run(A_TO_B);
                                    newTreeAtTheOldPlace(world);
                                }));

                                world.rollForward("janitor-1").ofDead("r1");

                                assertThat(world.paths()).isEqualTo(withNewTree());
                                assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
                                world.assertQuiet();
                            })));
        });
    }

    private static TreeStore refusing(World world, String id) {
        return new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals(id));
    }

    /**
     * Returns a world in which worker-1 has parked the rename, because the tree store permanently refuses the write of
     * one document.
     */
    private static World parked() {
        World world = DIRECTORY.begin();
        Stores refusing = world.stores(refusing(world, "a2"));
        new Renamer(refusing, world.context("worker-1")).run(A_TO_B);
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        return world;
    }

    @ParameterizedTest
    @EnumSource(ProcessState.class)
    void a_parked_rename_is_not_rolled_forward_because_of_the_state_of_its_process(ProcessState owner) {
        World world = parked();
        world.process("worker-1", owner);
        Snapshot before = Snapshot.of(world);

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(Snapshot.of(world)).isEqualTo(before);
    }

    @Test
    void a_parked_rename_ends_as_soon_as_its_documents_can_be_moved() {
        World world = parked();
        world.process("worker-1", ProcessState.LIVE);

        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.CLOSED);
        assertThat(world.outcome("r1").rolledForward()).isTrue();
        DIRECTORY.assertEnded(world);
    }

    @Test
    void a_parked_rename_stays_parked_with_its_locks_while_its_documents_cannot_be_moved() {
        World world = parked();
        Stores refusing = world.stores(refusing(world, "a2"));
        List<LockTable> locks = world.locks.tables();

        assertThat(world.rollForward("janitor-1", refusing).ofParked("r1")).isEqualTo(Result.PARKED);
        assertThat(world.entry("r1")).returns(State.PARKED, JournalEntry::state);
        assertThat(world.locks.tables()).isEqualTo(locks);
        assertThat(world.outcomes.log()).isEmpty();
    }

    @Test
    void a_parked_rename_ends_when_its_last_document_is_deleted() {
        World world = DIRECTORY.begin();
        new Renamer(world.stores(refusing(world, "ad1")), world.context("worker-1")).run(A_TO_B);
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        world.tree.delete(World.INDEX, "ad1");

        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.CLOSED);
        world.assertQuiet();
    }

    @Test
    void counts_the_documents_that_a_dead_process_has_moved_without_a_record_of_its_progress() {
        World world = DIRECTORY.begin();
        world.calls.interfere(Death.after("tree.move", 2));
        assertThat(Death.of(() -> world.renamer().run(A_TO_B))).isTrue();
        world.calls.interfere(Interference.none());
        assertThat(world.entry("r1").progress().moved()).isZero();

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.CLOSED);

        assertThat(world.outcome("r1").moved()).isEqualTo(5);
    }

    @Test
    void a_fenced_janitor_takes_over_nothing() {
        World world = movingAndDead();
        Snapshot before = Snapshot.of(world);
        world.stop.abandon();

        assertThatThrownBy(() -> world.rollForward("janitor-1").ofDead("r1")).isInstanceOf(FencedException.class);
        assertThat(Snapshot.of(world)).isEqualTo(before);
    }

    @Test
    void a_janitor_whose_lease_is_in_doubt_takes_over_nothing_before_its_heartbeat_is_acknowledged() {
        World world = movingAndDead();
        List<String> owners = new ArrayList<>();
        world.stop.holdWhile(() -> true);
        world.time.plan(Duration.ofSeconds(1), () -> {
            owners.add(world.entry("r1").ownership().processId());
            world.stop.holdWhile(() -> false);
        });

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(owners).containsExactly("worker-1");
        assertThat(result).isEqualTo(Result.CLOSED);
    }

    @Test
    void the_same_janitor_continues_a_roll_forward_after_a_store_has_refused_it() {
        World world = doneAndDead();
        world.process("janitor-1", ProcessState.LIVE);
        world.calls.interfere(Interference.before("locks.release", 1, () -> {
            throw new RefusedException("403 security_exception");
        }));
        assertThatThrownBy(() -> world.rollForward("janitor-1").ofDead("r1")).hasMessageContaining("403");
        world.calls.interfere(Interference.none());

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void gives_back_a_prepared_rename_whose_namespace_was_removed() {
        World world = preparedAndDead();

        Result result = world.rollForward("janitor-1", withoutNamespaces(world)).ofDead("r1");

        assertThat(result).isEqualTo(Result.RELEASED);
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
    }

    private static Stores withoutNamespaces(World world) {
        Stores stores = world.stores();
        return new Stores(new InMemoryNamespaces(), stores.journal(), stores.locks(), stores.tree(), stores.outcomes());
    }

    @Test
    void parks_a_moving_rename_while_its_namespace_is_removed_and_ends_it_afterwards() {
        World world = movingAndDead();
        List<LockTable> locks = world.locks.tables();
        RollForward without = world.rollForward("janitor-1", withoutNamespaces(world));

        Result first = without.ofDead("r1");
        JournalEntry parked = world.entry("r1");
        Result next = without.ofDead("r1");
        Result tried = without.ofParked("r1");

        assertThat(first).isEqualTo(Result.PARKED);
        assertThat(parked.state()).isEqualTo(State.PARKED);
        assertThat(parked.parking()).isEqualTo(new Parking("no namespace is called \"files\"", List.of()));
        assertThat(next).isEqualTo(Result.LEFT_ALONE);
        assertThat(tried).isEqualTo(Result.PARKED);
        assertThat(world.locks.tables()).isEqualTo(locks);
        assertThat(world.rollForward("janitor-2").ofParked("r1")).isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void closes_a_done_rename_whose_namespace_was_removed() {
        World world = doneAndDead();

        assertThat(world.rollForward("janitor-1", withoutNamespaces(world)).ofDead("r1"))
                .isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    @TestFactory
    Stream<DynamicTest> the_next_janitor_ends_a_rename_if_the_first_janitor_died_while_it_parked_the_rename() {
        return Stream.of("journal.write MOVING", "journal.write PARKED")
                .map(last -> dynamicTest("dead after " + last, () -> {
                    World world = movingAndDead();
                    RollForward dying = world.rollForward("janitor-1", withoutNamespaces(world));
                    world.calls.interfere(Death.after(last, 1));
                    assertThat(Death.of(() -> dying.ofDead("r1"))).isTrue();
                    world.calls.interfere(Interference.none());

                    world.rollForward("janitor-2").ofDead("r1");
                    world.rollForward("janitor-2").ofParked("r1");

                    DIRECTORY.assertEnded(world);
                }));
    }

    @Test
    void rolls_forward_although_an_index_joined_the_namespace_after_the_commit() {
        World world = new World();
        world.tree.createIndex("files-2");
        world.tree.alias("aliased", World.INDEX);
        world.namespaces.define(Namespace.ofFiles("aliased-files", "aliased"));
        world.file("f", "/f");
        Delivery delivery = Deliveries.of(Deliveries.rename("r1", "aliased-files", "/f", "/g"));
        world.calls.interfere(Death.after("journal.write MOVING", 1));
        assertThat(Death.of(() -> world.renamer().run(delivery))).isTrue();
        world.calls.interfere(Interference.none());
        world.tree.alias("aliased", World.INDEX, "files-2");

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.CLOSED);
        assertThat(world.paths()).containsEntry("f", "/g");
    }

    @Test
    void removes_nothing_from_an_index_that_was_created_again_after_the_commit() {
        World world = new World().withTree();
        world.directory("e", "/e");
        world.calls.interfere(Death.after("journal.write MOVING", 1));
        assertThat(Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a", "/e")))))
                .isTrue();
        world.calls.interfere(Interference.none());
        world.tree.createIndex(World.INDEX);

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.PARKED);
        assertThat(world.paths()).isEqualTo(withE(World.treeAt("/a")));
    }

    @Test
    void an_entry_that_was_released_needs_no_janitor() {
        World world = preparedAndDead();
        world.rollForward("janitor-1").ofDead("r1");
        Snapshot before = Snapshot.of(world);

        assertThat(world.rollForward("janitor-2").ofDead("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(Snapshot.of(world)).isEqualTo(before);
        assertThat(world.journal.in(Set.of(State.RETRY))).containsExactly("r1");
    }

    @Test
    void does_not_touch_a_rename_whose_live_process_is_missing_at_a_cut_off_node() {
        World world = DIRECTORY.begin();
        world.process("worker-1", ProcessState.LIVE);
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            StaleProcessStore stale = new StaleProcessStore(world.processes);
            stale.willShow(Optional.empty());

            Result result =
                    world.rollForward("janitor-1", world.stores(), stale).ofDead("r1");

            assertThat(result).isEqualTo(Result.LEFT_ALONE);
        }));

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1").processId()).isEqualTo("worker-1");
        DIRECTORY.assertEnded(world);
    }

    @Test
    void rolls_forward_and_fences_a_process_without_a_document() {
        World world = DIRECTORY.begin();
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            throw new FencedException("everything");
        }));
        assertThatThrownBy(() -> world.renamer().run(A_TO_B)).isInstanceOf(FencedException.class);
        world.calls.interfere(Interference.none());

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.CLOSED);
        assertThat(world.processes
                        .read(new ProcessId("worker-1"))
                        .map(found -> found.value().state()))
                .contains(ProcessState.FENCED);
        DIRECTORY.assertEnded(world);
    }
}
