package org.treerename.protocol;

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
import org.treerename.janitor.recovery.World;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessState;
import org.treerename.protocol.Recording.Renamed;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.steps.Step;
import org.treerename.steps.Steps;
import org.treerename.store.Death;
import org.treerename.store.Interference;

/**
 * Tests that the model allows recorded runs of workers and janitors on stores in memory, and does not allow changed
 * recordings.
 *
 * <p>Each method replays its recordings in one JVM, because the start of a JVM takes longer than the check of a small
 * recording.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReplayIT {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    /**
     * The rename of {@code /a}: five documents are at or below {@code /a}, and one of these documents is at {@code /a}.
     */
    private static final Renamed R1 = new Renamed("r1", 5, 1);

    private static final Renamed R2 = new Renamed("r2", 0, 0);

    private final ModelChecker checker = new ModelChecker(Path.of("target", "replays"), 1, Duration.ofMinutes(5));

    /** A world in which every process records its steps. */
    private static final class Recorded {
        final World world = new World().withTree();
        final Map<String, List<Step>> steps = new LinkedHashMap<>();
        final List<String> killed = new ArrayList<>();

        private Stores stores(String processId) {
            List<Step> recorded = steps.computeIfAbsent(processId, id -> new ArrayList<>());
            return Steps.recorded(world.stores(), recorded::add);
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
            new Renamer(stores(context.processId()), context).run(delivery);
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

    /** Replays all recordings in one JVM, and returns one test for each recording. */
    private Stream<DynamicTest> replayed(Map<String, Recording> recordings, boolean allowed) {
        Set<String> allowedNames = Recording.allowed(checker, recordings);
        return recordings.keySet().stream()
                .map(name -> dynamicTest(
                        name,
                        () -> assertThat(allowedNames.contains(name))
                                .describedAs("the model allows the recording in target/replays/Recorded-%s", name)
                                .isEqualTo(allowed)));
    }

    @TestFactory
    Stream<DynamicTest> the_model_allows_a_worker_that_loses_any_one_answer() {
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
    Stream<DynamicTest> the_model_allows_a_worker_that_dies_and_whose_rename_is_taken_over() {
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
    Stream<DynamicTest> the_model_allows_a_fenced_worker_that_continues_after_the_take_over() {
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
    void the_model_allows_a_worker_that_is_refused_and_gives_up() {
        Recorded run = new Recorded();
        Delivery conflicting =
                Deliveries.of(Deliveries.rename("r2", "files", "/b", "/c"), 1, Deliveries.APPENDED.plusSeconds(1));
        run.world.calls.interfere(Interference.before("tree.move", 1, () -> {
            run.world.calls.interfere(Interference.none());
            run.runWithoutPatience("worker-2", conflicting);
        }));

        run.run("worker-1", A_TO_B);

        run.world.assertQuiet();
        assertThat(run.attemptsOf("worker-2"))
                .describedAs("number of attempts: a worker waits by reads and does not attempt again")
                .isEqualTo(1);
        assertThat(run.recording(R1, R2).isAllowed(checker, "refused")).isTrue();
    }

    @Test
    void the_model_allows_a_worker_that_is_refused_and_attempts_again_after_the_release() {
        Recorded run = new Recorded();
        run.world.calls.interfere(Death.after("journal.write MOVING", 1));
        run.runUntilDeath("worker-1", A_TO_B);
        run.world.process("worker-1", ProcessState.FENCED);
        Delivery conflicting =
                Deliveries.of(Deliveries.rename("r2", "files", "/b/none", "/c"), 1, Deliveries.APPENDED.plusSeconds(1));
        run.world.calls.interfere(Interference.before("locks.read", 2, () -> {
            run.world.calls.interfere(Interference.none());
            run.takeOver("janitor-1");
        }));

        run.run("worker-2", conflicting);

        assertThat(run.attemptsOf("worker-2")).isEqualTo(2);
        assertThat(run.recording(R1, R2).isAllowed(checker, "woken")).isTrue();
    }

    @TestFactory
    Stream<DynamicTest> the_model_does_not_allow_a_run_without_one_of_its_steps() {
        Recorded run = new Recorded();
        run.run("worker-1", A_TO_B);
        List<Step> all = run.stepsOf("worker-1");
        Map<String, Recording> recordings = new LinkedHashMap<>();
        for (int i = 0; i < all.size() - 1; i++) {
            if (isSilent(all.get(i))) {
                continue;
            }
            List<Step> changed = new ArrayList<>(all);
            changed.remove(i);
            if (changed.stream().noneMatch(step -> step.call().equals("prepare"))) {
                // a recording without the step "prepare" has no lock set, so there is nothing to replay
                assertThat(all.get(i).call()).isEqualTo("prepare");
                continue;
            }
            Recording recording = new Recording(List.of(R1));
            recording.add("worker-1", changed);
            recordings.put("without-step-" + i + "-" + all.get(i).call(), recording);
        }
        return replayed(recordings, false);
    }

    /** Returns whether a step is the end of a pass that found documents. The model ignores this step. */
    private static boolean isSilent(Step step) {
        return step.call().equals("pass") && step.number() > 0;
    }

    @TestFactory
    Stream<DynamicTest> the_model_does_not_allow_a_run_in_which_a_dead_process_continues_unhindered() {
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
                List<Step> changed = new ArrayList<>(zombies.subList(0, i));
                changed.add(asWritten(step));
                Recording recording = new Recording(List.of(R1));
                recording.add("worker-1", changed);
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

    private static Step asWritten(Step step) {
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
