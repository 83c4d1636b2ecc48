package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.lock.LockTable;
import org.treerename.path.Granularity;
import org.treerename.path.InMemoryNamespaces;
import org.treerename.path.Namespace;
import org.treerename.path.Namespaces;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.StaleProcessStore;
import org.treerename.rename.JournalEntry.Ending;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.JournalEntry.Parking;
import org.treerename.rename.RollForward.Result;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.wire.JsonOutcomeCodec;

class RollForwardTest {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    /** A request, and what is true once it has ended. */
    private record Story(
            String name, Delivery delivery, Map<String, String> paths, Status status, Granularity granularity) {

        Story(String name, Delivery delivery, Map<String, String> paths, Status status) {
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

    private static final Story DIRECTORY =
            new Story("a directory", A_TO_B, withE(World.treeAt("/b")), Status.COMPLETED);

    private static Stream<Story> stories() {
        return Stream.of(
                DIRECTORY,
                new Story(
                        "a directory, with a lock on each document",
                        A_TO_B,
                        DIRECTORY.paths(),
                        Status.COMPLETED,
                        Granularity.DOCUMENT),
                new Story(
                        "a directory over an empty one",
                        Deliveries.of(Deliveries.replace("r1", "files", "/a", "/e")),
                        World.treeAt("/e"),
                        Status.COMPLETED),
                new Story(
                        "a rejection",
                        Deliveries.of(Deliveries.rename("r1", "files", "/a", "/ab")),
                        withE(World.treeAt("/a")),
                        Status.REJECTED));
    }

    private static List<Call> callsOf(Story story) {
        World world = story.begin();
        world.renamer().run(story.delivery());
        return world.calls.made();
    }

    private static List<Call> writesOf(Story story) {
        return callsOf(story).stream().filter(Call::isWrite).toList();
    }

    /** worker-1 died there; what others judge of it is not said yet. */
    private static World diedAt(Story story, Interference where) {
        World world = story.begin();
        world.calls.interfere(where);
        assertThat(Death.of(() -> world.renamer().run(story.delivery()))).isTrue();
        world.calls.interfere(Interference.none());
        return world;
    }

    /** PREPARED with its locks held. */
    private static World preparedAndDead() {
        return diedAt(DIRECTORY, Death.after("journal.prepare", 1));
    }

    /** MOVING with a part of the tree at its new place. */
    private static World movingAndDead() {
        return diedAt(DIRECTORY, Death.after("tree.move", 2));
    }

    /** DONE with its locks held and nothing published. */
    private static World doneAndDead() {
        return diedAt(DIRECTORY, Death.after("journal.write DONE", 1));
    }

    /** What remains of it: the entry, and where everything stands. */
    private record Snapshot(List<Versioned<JournalEntry>> entries, List<LockTable> locks, Map<String, String> paths) {
        static Snapshot of(World world) {
            return new Snapshot(world.journal.read("r1").stream().toList(), world.locks.tables(), world.paths());
        }
    }

    @TestFactory
    Stream<DynamicTest> what_a_live_process_has_left_anywhere_is_left_alone() {
        return stories()
                .flatMap(story -> writesOf(story).stream()
                        .map(last -> dynamicTest(story.name() + ", silent after " + last, () -> {
                            World world = diedAt(story, Death.at(last, true));
                            world.process("worker-1", ProcessState.LIVE);
                            Snapshot before = Snapshot.of(world);

                            Result result = world.rollForward("janitor-1").ofDead("r1");

                            assertThat(result).isEqualTo(Result.LEFT_ALONE);
                            assertThat(Snapshot.of(world)).isEqualTo(before);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> what_a_process_that_is_not_live_has_left_anywhere_ends_as_if_nothing_had_happened() {
        return stories()
                .flatMap(story -> writesOf(story).stream()
                        .flatMap(last -> Stream.of("fenced", "stopped", "missing")
                                .map(owner -> dynamicTest(story.name() + ", " + owner + " after " + last, () -> {
                                    World world = diedAt(story, Death.at(last, true));
                                    if (!owner.equals("missing")) {
                                        world.process("worker-1", ProcessState.ofStored(owner));
                                    }

                                    world.rollForward("janitor-1").ofDead("r1");
                                    world.renamer("worker-2").run(story.delivery());

                                    story.assertEnded(world);
                                }))));
    }

    @TestFactory
    Stream<DynamicTest> a_janitor_that_dies_at_any_write_is_taken_over_by_the_next() {
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

    /** As a live janitor goes on, tick after tick. */
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
    Stream<DynamicTest> calls_of_a_roll_forward_that_get_lost_at_random_change_nothing_about_the_end() {
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
    void what_was_prepared_is_given_back_with_its_holds_and_claims_and_the_next_delivery_completes_it() {
        World world = DIRECTORY.begin();
        world.heldByAnother("/a/d", "/c");
        world.process("worker-9", ProcessState.LIVE);
        world.calls.interfere(Death.after("journal.prepare", 1));
        Death.of(() -> world.renamer().run(A_TO_B));
        world.calls.interfere(Interference.none());

        Result result = world.rollForward("janitor-1").ofDead("r1");
        List<LockTable> left = world.locks.tables();
        JournalEntry givenBack = world.entry("r1");
        world.otherEnds("/a/d", "/c");
        world.renamer("worker-2").run(A_TO_B);

        assertThat(result).isEqualTo(Result.GIVEN_BACK);
        assertThat(left).allSatisfy(lock -> {
            assertThat(lock.claims()).isEmpty();
            assertThat(lock.holds()).containsOnlyKeys("hold-of-other");
        });
        assertThat(givenBack)
                .returns(State.RETRY, JournalEntry::state)
                .returns(new Ownership("janitor-1", 2, null), JournalEntry::ownership);
        assertThat(world.outcome("r1")).returns("worker-2", Outcome::processId).returns(false, Outcome::rolledForward);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void what_was_moving_is_rolled_forward_and_its_outcome_says_so() {
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
    void what_had_ended_is_closed_where_nobody_can_read_what_its_tree_is() {
        World world = doneAndDead();

        Result result = world.rollForward("janitor-1", unreadable(world)).ofDead("r1");

        assertThat(result).isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void what_was_moving_is_parked_where_nobody_can_read_what_its_tree_is() {
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
    void of_what_was_done_the_very_outcome_that_its_process_wrote_is_published() {
        World world = doneAndDead();
        String outcome = world.entry("r1").ended().map(Ending::outcome).orElseThrow();

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(result).isEqualTo(Result.CLOSED);
        assertThat(world.outcomes.log()).containsExactly(new InMemoryOutcomes.Published("r1", outcome));
        assertThat(world.outcome("r1")).returns("worker-1", Outcome::processId).returns(false, Outcome::rolledForward);
        DIRECTORY.assertEnded(world);
    }

    @Test
    void what_nobody_has_asked_for_is_left_alone() {
        World world = DIRECTORY.begin();

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(world.journal.entries()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> who_loses_the_race_for_a_take_over_touches_nothing() {
        return Stream.of("prepared", "moving", "done")
                .map(state -> dynamicTest(state, () -> {
                    World world = dead(state);
                    List<Snapshot> ofTheFaster = new ArrayList<>();
                    String write = "journal.write " + world.entry("r1").state();
                    world.calls.interfere(Interference.before(write, 1, () -> {
                        world.rollForward("janitor-2").ofDead("r1");
                        ofTheFaster.add(Snapshot.of(world));
                    }));

                    Result result = world.rollForward("janitor-1").ofDead("r1");

                    assertThat(result).isEqualTo(Result.LOST);
                    assertThat(ofTheFaster).containsExactly(Snapshot.of(world));
                }));
    }

    @Test
    void a_worker_that_goes_on_before_it_is_taken_over_wins() {
        World world = movingAndDead();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            Versioned<JournalEntry> found = world.journal.read("r1").orElseThrow();
            world.journal.write(found.value().touched(), found.version());
        }));

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(result).isEqualTo(Result.LOST);
        assertThat(world.entry("r1").ownership().processId()).isEqualTo("worker-1");
    }

    /** Somebody makes a tree where the old one stood: one new document, and one under an id that was there. */
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

    /** Where in a worker's run it freezes: before the effect of each call, or before it sees the answer. */
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

    /** The janitor that took over has done nothing else yet when the worker wakes; the next janitor goes on. */
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

    /** janitor-1 dies with the take-over acknowledged; false where there was nothing to take over. */
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

    /** Every document, with its version. */
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

    /** A janitor that carries a rename, frozen likewise, and another one that takes over from it. */
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

    /** PARKED by worker-1, because the tree refuses one document for good. */
    private static World parked() {
        World world = DIRECTORY.begin();
        Stores refusing = world.stores(refusing(world, "a2"));
        new Renamer(refusing, new JsonOutcomeCodec(), world.context("worker-1")).run(A_TO_B);
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        return world;
    }

    @ParameterizedTest
    @EnumSource(ProcessState.class)
    void what_is_parked_waits_for_its_own_time_whatever_became_of_its_process(ProcessState owner) {
        World world = parked();
        world.process("worker-1", owner);
        Snapshot before = Snapshot.of(world);

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(Snapshot.of(world)).isEqualTo(before);
    }

    @Test
    void what_is_parked_is_ended_as_soon_as_its_documents_can_be_moved() {
        World world = parked();
        world.process("worker-1", ProcessState.LIVE);

        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.CLOSED);
        assertThat(world.outcome("r1").rolledForward()).isTrue();
        DIRECTORY.assertEnded(world);
    }

    @Test
    void what_is_parked_stays_parked_with_its_locks_while_its_documents_cannot_be_moved() {
        World world = parked();
        Stores refusing = world.stores(refusing(world, "a2"));
        List<LockTable> locks = world.locks.tables();

        assertThat(world.rollForward("janitor-1", refusing).ofParked("r1")).isEqualTo(Result.PARKED);
        assertThat(world.entry("r1")).returns(State.PARKED, JournalEntry::state);
        assertThat(world.locks.tables()).isEqualTo(locks);
        assertThat(world.outcomes.log()).isEmpty();
    }

    @Test
    void what_is_parked_ends_when_the_only_document_that_is_left_is_gone() {
        World world = DIRECTORY.begin();
        new Renamer(world.stores(refusing(world, "ad1")), new JsonOutcomeCodec(), world.context("worker-1"))
                .run(A_TO_B);
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
        world.tree.delete(World.INDEX, "ad1");

        assertThat(world.rollForward("janitor-1").ofParked("r1")).isEqualTo(Result.CLOSED);
        world.assertQuiet();
    }

    @Test
    void a_janitor_that_was_fenced_takes_nothing_over() {
        World world = movingAndDead();
        Snapshot before = Snapshot.of(world);
        world.stop.abandon();

        assertThatThrownBy(() -> world.rollForward("janitor-1").ofDead("r1")).isInstanceOf(FencedException.class);
        assertThat(Snapshot.of(world)).isEqualTo(before);
    }

    @Test
    void a_janitor_in_doubt_takes_nothing_over_before_its_heartbeat_is_acknowledged() {
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
    void a_roll_forward_that_a_store_refused_is_carried_on_by_the_same_janitor_when_the_store_takes_it() {
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
    void what_was_prepared_in_a_namespace_that_is_gone_is_given_back_and_rejected_at_the_next_delivery() {
        World world = preparedAndDead();

        Result result = world.rollForward("janitor-1", withoutNamespaces(world)).ofDead("r1");

        assertThat(result).isEqualTo(Result.GIVEN_BACK);
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
    }

    private static Stores withoutNamespaces(World world) {
        Stores stores = world.stores();
        return new Stores(new InMemoryNamespaces(), stores.journal(), stores.locks(), stores.tree(), stores.outcomes());
    }

    @Test
    void what_was_moving_in_a_namespace_that_is_gone_is_parked_with_its_locks_and_ended_when_it_is_back() {
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
    void what_was_done_in_a_namespace_that_is_gone_is_closed() {
        World world = doneAndDead();

        assertThat(world.rollForward("janitor-1", withoutNamespaces(world)).ofDead("r1"))
                .isEqualTo(Result.CLOSED);
        DIRECTORY.assertEnded(world);
    }

    @TestFactory
    Stream<DynamicTest>
            a_janitor_that_dies_while_it_parks_is_taken_over_and_the_rename_ends_when_the_namespace_is_back() {
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
    void an_index_that_joined_the_namespace_after_the_commit_keeps_nobody_from_rolling_forward() {
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
    void nothing_is_removed_from_an_index_that_was_made_again_under_its_name_after_the_commit() {
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
    void an_entry_that_was_given_back_needs_nobody() {
        World world = preparedAndDead();
        world.rollForward("janitor-1").ofDead("r1");
        Snapshot before = Snapshot.of(world);

        assertThat(world.rollForward("janitor-2").ofDead("r1")).isEqualTo(Result.LEFT_ALONE);
        assertThat(Snapshot.of(world)).isEqualTo(before);
        assertThat(world.journal.in(Set.of(State.RETRY))).containsExactly("r1");
    }

    @Test
    void a_rename_whose_live_process_a_cut_off_node_has_not_heard_of_is_left_alone() {
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
    void a_rename_of_a_process_without_a_document_is_rolled_forward_and_the_process_can_never_begin() {
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
