package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.treerename.process.ProcessState;
import org.treerename.protocol.ModelChecker;
import org.treerename.protocol.Recording;
import org.treerename.protocol.Recording.Renamed;
import org.treerename.steps.Step;
import org.treerename.steps.Steps;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.wire.JsonOutcomeCodec;

/** Runs of the very code of workers and janitors, on stores in memory, are ways through the model; bent ones are not. */
@Execution(ExecutionMode.CONCURRENT)
class ReplayIT {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    /** Five documents stand at and below {@code /a}, one of them at it. */
    private static final Renamed R1 = new Renamed("r1", 5, 1);

    private static final Renamed R2 = new Renamed("r2", 0, 0);

    private final ModelChecker checker = new ModelChecker(Path.of("target", "replays"), 1, Duration.ofMinutes(5));

    /** A world in which every process records what it does. */
    private static final class Recorded {
        final World world = new World().withTree();
        final Map<String, List<Step>> steps = new LinkedHashMap<>();
        final List<String> killed = new ArrayList<>();

        private Stores stores(String processId) {
            List<Step> its = steps.computeIfAbsent(processId, id -> new ArrayList<>());
            return Steps.recorded(world.stores(), its::add);
        }

        void run(String processId, Delivery delivery) {
            run(world.carrier(processId), delivery);
        }

        void runWithoutPatience(String processId, Delivery delivery) {
            Carrier patient = world.carrier(processId);
            run(
                    new Carrier(
                            processId,
                            patient.time(),
                            patient.backoffs(),
                            Duration.ofMillis(150),
                            patient.maxPasses(),
                            patient.stop()),
                    delivery);
        }

        private void run(Carrier carrier, Delivery delivery) {
            new Renamer(stores(carrier.processId()), new JsonOutcomeCodec(), carrier).run(delivery);
        }

        void runUntilDeath(String processId, Delivery delivery) {
            assertThat(Death.of(() -> run(processId, delivery))).isTrue();
            world.calls.interfere(Interference.none());
            killed.add(processId);
        }

        void takeOver(String processId) {
            world.rollForward(processId, stores(processId)).ofDead("r1");
        }

        List<Step> stepsOf(String processId) {
            return List.copyOf(steps.getOrDefault(processId, List.of()));
        }

        Recording recording(Renamed... renames) {
            Recording recording = new Recording(List.of(renames));
            steps.forEach(recording::add);
            killed.forEach(recording::killed);
            return recording;
        }
    }

    @TestFactory
    Stream<DynamicTest> a_worker_that_loses_any_one_answer_does_what_the_model_allows() {
        return IntStream.rangeClosed(0, writesOfOneRename())
                .mapToObj(n -> dynamicTest("of write " + n, () -> {
                    Recorded run = new Recorded();
                    run.world.calls.interfere(Interference.answerLostAt(n));

                    run.run("worker-1", A_TO_B);

                    assertThat(run.recording(R1).isAllowed(checker, "answer-" + n))
                            .isTrue();
                }));
    }

    private static int writesOfOneRename() {
        Recorded run = new Recorded();
        run.run("worker-1", A_TO_B);
        return run.world.calls.writesMade().size();
    }

    @TestFactory
    Stream<DynamicTest> a_worker_that_dies_and_is_taken_over_did_what_the_model_allows() {
        return Stream.of(
                        "journal.write MOVING 1",
                        "tree.move 1",
                        "journal.write MOVING 2",
                        "tree.move 2",
                        "journal.write DONE 1")
                .map(last -> dynamicTest("after " + last, () -> {
                    Recorded run = new Recorded();
                    int space = last.lastIndexOf(' ');
                    run.world.calls.interfere(
                            Death.after(last.substring(0, space), Integer.parseInt(last.substring(space + 1))));

                    run.runUntilDeath("worker-1", A_TO_B);
                    run.world.process("worker-1", ProcessState.FENCED);
                    run.takeOver("janitor-1");
                    run.run("worker-2", A_TO_B);

                    run.world.assertQuiet();
                    assertThat(run.recording(R1).isAllowed(checker, "dead-after-" + last.replaceAll("\\W", "-")))
                            .isTrue();
                }));
    }

    @TestFactory
    Stream<DynamicTest> a_worker_that_wakes_after_it_was_taken_over_does_what_the_model_allows() {
        return Stream.of("journal.write MOVING 1", "tree.move 1", "tree.move 2", "journal.write DONE 1")
                .map(before -> dynamicTest("before " + before, () -> {
                    Recorded run = new Recorded();
                    int space = before.lastIndexOf(' ');
                    run.world.process("worker-1", ProcessState.FENCED);
                    run.world.calls.interfere(Interference.before(
                            before.substring(0, space), Integer.parseInt(before.substring(space + 1)), () -> {
                                run.world.calls.interfere(Interference.none());
                                run.takeOver("janitor-1");
                            }));

                    run.run("worker-1", A_TO_B);

                    run.world.assertQuiet();
                    assertThat(run.recording(R1).isAllowed(checker, "awake-before-" + before.replaceAll("\\W", "-")))
                            .isTrue();
                }));
    }

    @Test
    void a_worker_that_is_refused_and_gives_up_does_what_the_model_allows() {
        Recorded run = new Recorded();
        Delivery meets =
                Deliveries.of(Deliveries.rename("r2", "files", "/b", "/c"), 1, Deliveries.APPENDED.plusSeconds(1));
        run.world.calls.interfere(Interference.before("tree.move", 1, () -> {
            run.world.calls.interfere(Interference.none());
            run.runWithoutPatience("worker-2", meets);
        }));

        run.run("worker-1", A_TO_B);

        run.world.assertQuiet();
        assertThat(run.stepsOf("worker-2"))
                .filteredOn(step -> step.call().equals("prepare"))
                .hasSizeGreaterThan(1);
        assertThat(run.recording(R1, R2).isAllowed(checker, "refused")).isTrue();
    }

    @TestFactory
    Stream<DynamicTest> a_run_of_which_a_step_is_missing_is_not_allowed() {
        Recorded run = new Recorded();
        run.run("worker-1", A_TO_B);
        List<Step> all = run.stepsOf("worker-1");
        return IntStream.range(0, all.size() - 1)
                // the end of a pass that has found something tells nothing
                .filter(i -> !(all.get(i).call().equals("pass") && all.get(i).number() > 0))
                .mapToObj(i -> dynamicTest("without " + all.get(i), () -> {
                    List<Step> bent = new ArrayList<>(all);
                    bent.remove(i);
                    Recording recording = new Recording(List.of(R1));
                    recording.add("worker-1", bent);

                    // a prepare that is missing leaves the recording without a lock set
                    boolean allowed = bent.stream().anyMatch(step -> step.call().equals("prepare"))
                            && recording.isAllowed(checker, "without-" + i);

                    assertThat(allowed).isFalse();
                }));
    }

    @TestFactory
    Stream<DynamicTest> a_run_in_which_the_dead_go_on_unhindered_is_not_allowed() {
        Recorded run = new Recorded();
        run.world.process("worker-1", ProcessState.FENCED);
        run.world.calls.interfere(Interference.before("tree.move", 2, () -> {
            run.world.calls.interfere(Interference.none());
            run.takeOver("janitor-1");
        }));
        run.run("worker-1", A_TO_B);
        List<Step> zombies = run.stepsOf("worker-1");
        return IntStream.range(0, zombies.size())
                .filter(i -> zombies.get(i).answer() == Step.Answer.REFUSED || isEmptyMove(zombies.get(i)))
                .mapToObj(i -> dynamicTest("as if " + zombies.get(i) + " had been taken", () -> {
                    List<Step> bent = new ArrayList<>(zombies.subList(0, i));
                    bent.add(taken(zombies.get(i)));
                    Recording recording = new Recording(List.of(R1));
                    recording.add("worker-1", bent);
                    recording.add("janitor-1", run.stepsOf("janitor-1"));

                    assertThat(recording.isAllowed(checker, "unhindered-" + i)).isFalse();
                }));
    }

    private static boolean isEmptyMove(Step step) {
        return step.call().equals("move") && step.number() == 0;
    }

    private static Step taken(Step step) {
        return new Step(
                step.call(),
                step.request(),
                step.state(),
                step.process(),
                step.epoch(),
                step.hold(),
                step.claim(),
                Step.Answer.WRITTEN,
                step.call().equals("move") ? 1 : step.number(),
                step.locks());
    }
}
