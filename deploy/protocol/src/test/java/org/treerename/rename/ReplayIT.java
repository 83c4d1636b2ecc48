package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/**
 * Runs of the code of workers and janitors, on stores in memory, are ways through the model; changed recordings are not.
 *
 * <p>Each method replays its recordings in one JVM, because a recording is so small that a JVM's start takes longer than TLC.
 */
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
            run(world.context(processId), delivery);
        }

        void runWithoutPatience(String processId, Delivery delivery) {
            ProcessContext patient = world.context(processId);
            run(
                    new ProcessContext(
                            processId,
                            patient.time(),
                            patient.backoffs(),
                            Duration.ofMillis(150),
                            patient.maxPasses(),
                            patient.stop()),
                    delivery);
        }

        private void run(ProcessContext context, Delivery delivery) {
            new Renamer(stores(context.processId()), new JsonOutcomeCodec(), context).run(delivery);
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

        long attemptsOf(String processId) {
            return stepsOf(processId).stream()
                    .filter(step -> step.call().equals("prepare"))
                    .count();
        }

        Recording recording(Renamed... renames) {
            Recording recording = new Recording(List.of(renames));
            steps.forEach(recording::add);
            killed.forEach(recording::killed);
            return recording;
        }
    }

    /** Replays all of these in one JVM, then makes a test of each. */
    private Stream<DynamicTest> replayed(Map<String, Recording> recordings, boolean allowed) {
        Set<String> allowedOnes = Recording.allowed(checker, recordings);
        return recordings.keySet().stream()
                .map(name -> dynamicTest(
                        name,
                        () -> assertThat(allowedOnes.contains(name))
                                .describedAs("the model allows the recording in target/replays/Recorded-%s", name)
                                .isEqualTo(allowed)));
    }

    @TestFactory
    Stream<DynamicTest> a_worker_that_loses_any_one_answer_does_what_the_model_allows() {
        Map<String, Recording> recordings = new LinkedHashMap<>();
        for (int n = 0; n <= writesOfOneRename(); n++) {
            Recorded run = new Recorded();
            run.world.calls.interfere(Interference.answerLostAt(n));

            run.run("worker-1", A_TO_B);

            recordings.put("answer-lost-at-write-" + n, run.recording(R1));
        }
        return replayed(recordings, true);
    }

    private static int writesOfOneRename() {
        Recorded run = new Recorded();
        run.run("worker-1", A_TO_B);
        return run.world.calls.writesMade().size();
    }

    @TestFactory
    Stream<DynamicTest> a_worker_that_dies_and_is_taken_over_did_what_the_model_allows() {
        Map<String, Recording> recordings = new LinkedHashMap<>();
        for (String last : List.of(
                "journal.write MOVING 1", "tree.move 1", "tree.move 2", "tree.move 3", "journal.write DONE 1")) {
            Recorded run = new Recorded();
            int space = last.lastIndexOf(' ');
            run.world.calls.interfere(
                    Death.after(last.substring(0, space), Integer.parseInt(last.substring(space + 1))));

            run.runUntilDeath("worker-1", A_TO_B);
            run.world.process("worker-1", ProcessState.FENCED);
            run.takeOver("janitor-1");
            run.run("worker-2", A_TO_B);

            run.world.assertQuiet();
            recordings.put("dead-after-" + last.replaceAll("\\W", "-"), run.recording(R1));
        }
        return replayed(recordings, true);
    }

    @TestFactory
    Stream<DynamicTest> a_worker_that_wakes_after_it_was_taken_over_does_what_the_model_allows() {
        Map<String, Recording> recordings = new LinkedHashMap<>();
        for (String before : List.of("journal.write MOVING 1", "tree.move 1", "tree.move 2", "journal.write DONE 1")) {
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
            recordings.put("awake-before-" + before.replaceAll("\\W", "-"), run.recording(R1));
        }
        return replayed(recordings, true);
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
        assertThat(run.attemptsOf("worker-2"))
                .describedAs("it waits by reads, so it does not attempt again")
                .isEqualTo(1);
        assertThat(run.recording(R1, R2).isAllowed(checker, "refused")).isTrue();
    }

    @Test
    void a_worker_that_is_refused_and_attempts_again_when_its_way_is_free_does_what_the_model_allows() {
        Recorded run = new Recorded();
        run.world.calls.interfere(Death.after("journal.write MOVING", 1));
        run.runUntilDeath("worker-1", A_TO_B);
        run.world.process("worker-1", ProcessState.FENCED);
        Delivery meets =
                Deliveries.of(Deliveries.rename("r2", "files", "/b/none", "/c"), 1, Deliveries.APPENDED.plusSeconds(1));
        run.world.calls.interfere(Interference.before("locks.read", 2, () -> {
            run.world.calls.interfere(Interference.none());
            run.takeOver("janitor-1");
        }));

        run.run("worker-2", meets);

        assertThat(run.attemptsOf("worker-2")).isEqualTo(2);
        assertThat(run.recording(R1, R2).isAllowed(checker, "woken")).isTrue();
    }

    @TestFactory
    Stream<DynamicTest> a_run_of_which_a_step_is_missing_is_not_allowed() {
        Recorded run = new Recorded();
        run.run("worker-1", A_TO_B);
        List<Step> all = run.stepsOf("worker-1");
        Map<String, Recording> recordings = new LinkedHashMap<>();
        for (int i = 0; i < all.size() - 1; i++) {
            if (isSilent(all.get(i))) {
                continue;
            }
            List<Step> bent = new ArrayList<>(all);
            bent.remove(i);
            if (bent.stream().noneMatch(step -> step.call().equals("prepare"))) {
                // such a recording has no lock set, so there is nothing to replay
                assertThat(all.get(i).call()).isEqualTo("prepare");
                continue;
            }
            Recording recording = new Recording(List.of(R1));
            recording.add("worker-1", bent);
            recordings.put("without-step-" + i + "-" + all.get(i).call(), recording);
        }
        return replayed(recordings, false);
    }

    /** Returns whether a step says nothing: the end of a pass that found something. */
    private static boolean isSilent(Step step) {
        return step.call().equals("pass") && step.number() > 0;
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
        Map<String, Recording> recordings = new LinkedHashMap<>();
        for (int i = 0; i < zombies.size(); i++) {
            Step step = zombies.get(i);
            if (step.answer() == Step.Answer.REFUSED || isEmptyMove(step)) {
                List<Step> bent = new ArrayList<>(zombies.subList(0, i));
                bent.add(taken(step));
                Recording recording = new Recording(List.of(R1));
                recording.add("worker-1", bent);
                recording.add("janitor-1", run.stepsOf("janitor-1"));
                recordings.put("unhindered-at-step-" + i + "-" + step.call(), recording);
            }
        }
        assertThat(recordings).isNotEmpty();
        return replayed(recordings, false);
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
