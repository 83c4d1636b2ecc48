package org.treerename.rename;

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
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.path.Granularity;
import org.treerename.path.TreePath;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.RefusedException;

/**
 * Renames each of whose writes, one after the other, does not arrive, or takes effect without an answer, or is the last thing
 * that the process does. What is left in the end is the same as if nothing had happened.
 */
class LostAnswersTest {

    /** The process is dead: nothing in the project catches it. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** A request, and what is true once it has ended. */
    private record Story(
            String name,
            ParsedRequest.RenameRequest request,
            Map<String, String> paths,
            Status status,
            Granularity granularity) {

        Story(String name, ParsedRequest.RenameRequest request, Map<String, String> paths, Status status) {
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

    private static Stream<Story> stories() {
        Map<String, String> moved = World.treeAt("/b");
        Map<String, String> intoE = World.treeAt("/e");
        return Stream.of(
                new Story(
                        "a file",
                        Deliveries.rename("r1", "files", "/ab", "/e/f"),
                        paths(Map.of("ab", "/e/f")),
                        Status.COMPLETED),
                new Story("a directory", Deliveries.rename("r1", "files", "/a", "/b"), paths(moved), Status.COMPLETED),
                new Story(
                        "a directory, with a lock on each document",
                        Deliveries.rename("r1", "files", "/a", "/b"),
                        paths(moved),
                        Status.COMPLETED,
                        Granularity.DOCUMENT),
                new Story(
                        "a directory, with a lock on all",
                        Deliveries.rename("r1", "files", "/a", "/b"),
                        paths(moved),
                        Status.COMPLETED,
                        Granularity.GLOBAL),
                new Story(
                        "a file over a file",
                        Deliveries.replace("r1", "files", "/a/1", "/ab"),
                        without(paths(Map.of("a1", "/ab")), "ab"),
                        Status.COMPLETED),
                new Story(
                        "a directory over an empty one",
                        Deliveries.replace("r1", "files", "/a", "/e"),
                        without(paths(intoE), "e"),
                        Status.COMPLETED),
                new Story(
                        "a rejection", Deliveries.rename("r1", "files", "/a", "/ab"), paths(Map.of()), Status.REJECTED),
                new Story(
                        "an invalid request",
                        Deliveries.rename("r1", "files", "a", "/ab"),
                        paths(Map.of()),
                        Status.REJECTED),
                new Story(
                        "nothing to do",
                        Deliveries.rename("r1", "files", "/a", "/a"),
                        paths(Map.of()),
                        Status.COMPLETED));
    }

    private static List<Call> writesOf(Story story) {
        World world = story.begin();
        world.renamer().run(story.delivery());
        return world.calls.writesMade();
    }

    private static void assertEndedAs(Story story, World world) {
        assertThat(world.paths()).isEqualTo(story.paths());
        assertThat(world.outcome("r1").status()).isEqualTo(story.status());
        world.assertQuiet();
    }

    @TestFactory
    Stream<DynamicTest> a_write_whose_answer_is_lost_changes_nothing_about_the_end() {
        return stories()
                .flatMap(story -> writesOf(story).stream()
                        .map(call -> dynamicTest(story.name() + ", " + call, () -> {
                            World world = story.begin();
                            world.calls.interfere(Interference.answerLostAt(call.number()));

                            world.renamer().run(story.delivery());

                            assertEndedAs(story, world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> a_write_that_does_not_arrive_changes_nothing_about_the_end() {
        return stories()
                .flatMap(story -> writesOf(story).stream()
                        .map(call -> dynamicTest(story.name() + ", " + call, () -> {
                            World world = story.begin();
                            world.calls.interfere(Interference.notArrivedAt(call.number()));

                            world.renamer().run(story.delivery());

                            assertEndedAs(story, world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> calls_that_get_lost_at_random_change_nothing_about_the_end() {
        return stories()
                .flatMap(story -> LongStream.rangeClosed(1, 30)
                        .mapToObj(seed -> dynamicTest(story.name() + ", seed " + seed, () -> {
                            World world = story.begin();
                            world.calls.interfere(Interference.randomly(seed, 0.15));

                            world.renamer().run(story.delivery());

                            assertEndedAs(story, world);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> a_wait_with_calls_that_get_lost_at_random_ends_like_any_other() {
        return LongStream.rangeClosed(1, 40)
                .mapToObj(seed -> dynamicTest("seed " + seed, () -> {
                    Story story = stories().toList().get(1);
                    World world = story.begin();
                    world.heldByAnother("/a/d", "/c");
                    world.time.plan(Duration.ofSeconds(2), () -> world.otherEnds("/a/d", "/c"));
                    world.calls.interfere(Interference.randomly(seed, 0.1));

                    world.renamer().run(story.delivery());

                    assertThat(world.outcomes.of("r1")).hasSize(1);
                    assertThat(world.paths()).isEqualTo(story.paths());
                    world.assertQuiet();
                }));
    }

    @TestFactory
    Stream<DynamicTest> what_a_process_that_died_had_decided_is_rolled_forward_to_the_same_end() {
        return stories()
                .flatMap(story -> writesOf(story).stream()
                        .flatMap(call -> Stream.of(true, false)
                                .map(arrived -> dynamicTest(
                                        story.name() + ", dead " + (arrived ? "after " : "before ") + call, () -> {
                                            World world = story.begin();
                                            world.calls.interfere(dyingAt(call, arrived));
                                            try {
                                                world.renamer().run(story.delivery());
                                            } catch (Death death) {
                                                world.calls.interfere(Interference.none());
                                            }

                                            world.rollForward("janitor-1").ofDead("r1");
                                            world.renamer("worker-2").run(story.delivery());

                                            assertEndedAs(story, world);
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
    Stream<DynamicTest> a_process_that_stops_at_any_write_of_a_wait_leaves_nothing_of_it() {
        LockSet ofOther = LockSet.tree("files", new TreePath("/a/d"), new TreePath("/c"));
        // four attempts, each of which is refused at one end and granted at the other
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
    Stream<DynamicTest> a_store_that_refuses_for_good_before_the_commit_leaves_nothing_held() {
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
