package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.namespace.Granularity;
import org.treerename.path.TreePath;
import org.treerename.request.ParsedRequest;
import org.treerename.request.Status;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.RefusedException;

/**
 * In each test, one write of a rename fails. The write does not arrive, or it takes effect without an answer, or the
 * process dies after the write. The final state must be the same as without a failure.
 */
class LostAnswersTest {

    /** The death of the process. No code of the project catches this error. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** A request, and the expected paths and status after the end of the request. */
    private record Scenario(
            String name,
            ParsedRequest.RenameRequest request,
            Map<String, String> paths,
            Status status,
            Granularity granularity) {

        Scenario(String name, ParsedRequest.RenameRequest request, Map<String, String> paths, Status status) {
            this(name, request, paths, status, Granularity.TREE);
        }

        World begin() {
            World world = new World(granularity).withTree();
            world.directory("e", "/e");
            return world;
        }

        Delivery delivery() {
            return Deliveries.of(request);
        }
    }

    private static Map<String, String> paths(Map<String, String> changed) {
        Map<String, String> paths = World.treeAt("/a");
        paths.put("e", "/e");
        paths.putAll(changed);
        return paths;
    }

    private static Map<String, String> without(Map<String, String> paths, String id) {
        Map<String, String> left = new TreeMap<>(paths);
        left.remove(id);
        return left;
    }

    private static Stream<Scenario> scenarios() {
        Map<String, String> moved = World.treeAt("/b");
        Map<String, String> intoE = World.treeAt("/e");
        return Stream.of(
                new Scenario(
                        "a file",
                        Deliveries.rename("r1", "files", "/ab", "/e/f"),
                        paths(Map.of("ab", "/e/f")),
                        Status.COMPLETED),
                new Scenario(
                        "a directory", Deliveries.rename("r1", "files", "/a", "/b"), paths(moved), Status.COMPLETED),
                new Scenario(
                        "a directory, with a lock on each document",
                        Deliveries.rename("r1", "files", "/a", "/b"),
                        paths(moved),
                        Status.COMPLETED,
                        Granularity.DOCUMENT),
                new Scenario(
                        "a directory, with a lock on all",
                        Deliveries.rename("r1", "files", "/a", "/b"),
                        paths(moved),
                        Status.COMPLETED,
                        Granularity.GLOBAL),
                new Scenario(
                        "a file over a file",
                        Deliveries.replace("r1", "files", "/a/1", "/ab"),
                        without(paths(Map.of("a1", "/ab")), "ab"),
                        Status.COMPLETED),
                new Scenario(
                        "a directory over an empty one",
                        Deliveries.replace("r1", "files", "/a", "/e"),
                        without(paths(intoE), "e"),
                        Status.COMPLETED),
                new Scenario(
                        "a rejection", Deliveries.rename("r1", "files", "/a", "/ab"), paths(Map.of()), Status.REJECTED),
                new Scenario(
                        "an invalid request",
                        Deliveries.rename("r1", "files", "a", "/ab"),
                        paths(Map.of()),
                        Status.REJECTED),
                new Scenario(
                        "nothing to do",
                        Deliveries.rename("r1", "files", "/a", "/a"),
                        paths(Map.of()),
                        Status.COMPLETED));
    }

    private static List<Call> writesOf(Scenario scenario) {
        World world = scenario.begin();
        world.renamer().run(scenario.delivery());
        return world.calls.writesMade();
    }

    private static void assertEndedAs(Scenario scenario, World world) {
        assertThat(world.paths()).isEqualTo(scenario.paths());
        assertThat(world.outcome("r1").status()).isEqualTo(scenario.status());
        world.assertQuiet();
    }

    @TestFactory
    Stream<DynamicTest> a_write_whose_answer_is_lost_changes_nothing_about_the_end() {
        return scenarios()
                .flatMap(scenario -> writesOf(scenario).stream()
                        .map(call -> dynamicTest(scenario.name() + ", " + call, () -> {
                            World world = scenario.begin();
                            world.calls.interfere(Interference.answerLostAt(call.number()));

                            world.renamer().run(scenario.delivery());

                            assertEndedAs(scenario, world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> a_write_that_does_not_arrive_changes_nothing_about_the_end() {
        return scenarios()
                .flatMap(scenario -> writesOf(scenario).stream()
                        .map(call -> dynamicTest(scenario.name() + ", " + call, () -> {
                            World world = scenario.begin();
                            world.calls.interfere(Interference.notArrivedAt(call.number()));

                            world.renamer().run(scenario.delivery());

                            assertEndedAs(scenario, world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> randomly_lost_calls_change_nothing_about_the_end() {
        return scenarios()
                .flatMap(scenario -> LongStream.rangeClosed(1, 30)
                        .mapToObj(seed -> dynamicTest(scenario.name() + ", seed " + seed, () -> {
                            World world = scenario.begin();
                            world.calls.interfere(Interference.randomly(seed, 0.15));

                            world.renamer().run(scenario.delivery());

                            assertEndedAs(scenario, world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> a_wait_with_randomly_lost_calls_ends_like_any_other_wait() {
        return LongStream.rangeClosed(1, 40)
                .mapToObj(seed -> dynamicTest("seed " + seed, () -> {
                    Scenario scenario = scenarios().toList().get(1);
                    World world = scenario.begin();
                    world.heldByAnother("/a/d", "/c");
                    world.time.plan(Duration.ofSeconds(2), () -> world.otherEnds("/a/d", "/c"));
                    world.calls.interfere(Interference.randomly(seed, 0.1));

                    world.renamer().run(scenario.delivery());

                    assertThat(world.outcomes.of("r1")).hasSize(1);
                    assertThat(world.paths()).isEqualTo(scenario.paths());
                    world.assertQuiet();
                }));
    }

    @TestFactory
    Stream<DynamicTest> the_rename_of_a_dead_process_is_finished_with_the_same_end() {
        return scenarios()
                .flatMap(scenario -> writesOf(scenario).stream()
                        .flatMap(call -> Stream.of(true, false)
                                .map(arrived -> dynamicTest(
                                        scenario.name() + ", dead " + (arrived ? "after " : "before ") + call, () -> {
                                            World world = scenario.begin();
                                            world.calls.interfere(dyingAt(call, arrived));
                                            try {
                                                world.renamer().run(scenario.delivery());
                                            } catch (Death death) {
                                                world.calls.interfere(Interference.none());
                                            }

                                            world.rollForward("janitor-1").ofDead("r1");
                                            world.renamer("worker-2").run(scenario.delivery());

                                            assertEndedAs(scenario, world);
                                        }))));
    }

    private static Interference dyingAt(Call last, boolean arrived) {
        return new Interference() {
            @Override
            public void before(Call call) {
                if (!arrived && call.equals(last)) {
                    throw new Death();
                }
            }

            @Override
            public void after(Call call) {
                if (arrived && call.equals(last)) {
                    throw new Death();
                }
            }
        };
    }

    @TestFactory
    Stream<DynamicTest> a_process_that_stops_at_any_write_of_a_wait_leaves_no_lock_and_no_claim() {
        LockSet ofOther = LockSet.tree("files", new TreePath("/a/d"), new TreePath("/c"));
        // the rename makes four attempts; one table refuses each attempt and the other table grants it
        return LongStream.rangeClosed(1, 8)
                .mapToObj(write -> dynamicTest("write " + write, () -> {
                    World world = new World().withTree();
                    Hold other = world.heldByAnother("/a/d", "/c");
                    for (int second = 1; second <= 3; second++) {
                        world.time.plan(
                                Duration.ofSeconds(second),
                                () -> world.locks.release(ofOther, Release.ofHold(other.holdId())));
                    }
                    world.calls.interfere(new Interference() {
                        @Override
                        public void before(Call call) {
                            if (call.name().equals("journal.prepare")) {
                                world.locks.take(ofOther, other);
                            }
                            if (call.isWrite() && call.number() == write) {
                                world.stop.request();
                            }
                        }
                    });

                    world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));
                    world.otherEnds("/a/d", "/c");

                    assertThat(world.locks.tables()).isEmpty();
                    assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
                }));
    }

    @TestFactory
    Stream<DynamicTest> a_permanent_refusal_before_the_commit_leaves_no_locks() {
        return Stream.of("tree.examine", "tree.indices")
                .map(name -> dynamicTest(name, () -> {
                    World world = new World().withTree();
                    world.calls.interfere(Interference.before(name, 1, () -> {
                        throw new RefusedException("403 security_exception");
                    }));

                    try {
                        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));
                    } catch (RefusedException e) {
                        assertThat(e).hasMessageContaining("403");
                    }

                    assertThat(world.locks.tables()).isEmpty();
                }));
    }
}
