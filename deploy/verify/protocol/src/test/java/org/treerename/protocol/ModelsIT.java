package org.treerename.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests that the properties of every small configuration hold. For each guard, another run tests that the property of
 * the guard does not hold without this guard.
 *
 * <p>All runs of TLC together take minutes, so {@code checked.txt} records the completed runs. A run whose inputs are
 * recorded is not repeated, except with {@code -Dmodels=all}, which {@code -Pfull} sets. A run whose inputs differ from
 * the record is repeated. After this run, the build fails until the new record is committed, even if TLC gave the
 * expected verdict.
 *
 * <p>Each line of {@code checked.txt} contains one hash of all files that TLC reads in a run: the jar of TLC, every
 * module, and the configuration of the run. The line also contains the expected verdict. Each build computes the list
 * of runs from the code and the configurations, and {@code checked.txt} must contain exactly this list. So the build
 * fails as well if a guard is removed from a configuration.
 *
 * <p>Three kinds of errors can pass the default build, and only {@code -Pfull} finds these errors:
 *
 * <ul>
 *   <li>A person adds a line with a verdict that TLC did not give.
 *   <li>{@link ModelChecker} reads a verdict wrongly. Each build repeats three runs, one for each kind of verdict. So
 *       an error can pass only if {@link ModelChecker} reads the verdicts of these three runs correctly.
 *   <li>TLC gives a different verdict on a different JVM or operating system.
 * </ul>
 */
@Execution(ExecutionMode.CONCURRENT)
class ModelsIT {

    private static final Logger log = LoggerFactory.getLogger(ModelsIT.class);

    private static final boolean ALL = System.getProperty("models", "").equals("all");

    /**
     * The fastest run for each kind of verdict: all properties hold, an invariant does not hold, or a temporal property
     * does not hold.
     */
    private static final Set<String> ALWAYS =
            Set.of("SharedLocks", "SharedLocks-without-HoldsAboveSeen", "Claims-without-ClaimsKept");

    private static final List<Check> CHECKS = Check.small();
    private static final Checked CHECKED = Checked.read(Path.of("checked.txt"));

    private final ModelChecker checker = new ModelChecker(Path.of("target", "models"), 1, Duration.ofMinutes(5));

    @Test
    void the_record_of_completed_runs_is_up_to_date() {
        assertThat(CHECKED.lines())
                .describedAs(
                        "deploy/verify/protocol/checked.txt must have one line for each run of TLC, with the fingerprint of"
                                + " its current inputs; run deploy/verify/model-check --record and commit the file")
                .containsExactlyElementsOf(Checked.of(CHECKS).lines());
    }

    @Test
    void the_three_runs_that_every_build_repeats_exist() {
        assertThat(CHECKS.stream().map(Check::name)).containsAll(ALWAYS);
    }

    @TestFactory
    Stream<DynamicTest> a_model_holds_with_its_guards_and_breaks_without_one() {
        return CHECKS.stream()
                .filter(ModelsIT::mustRun)
                .map(check -> dynamicTest(check.name(), () -> {
                    Verdict verdict = checker.check(check.configuration());
                    log.info("{}: {}", check.name(), verdict);
                    assertThat(Check.inWords(verdict)).isEqualTo(check.expected());
                }));
    }

    private static boolean mustRun(Check check) {
        return ALL || ALWAYS.contains(check.name()) || !CHECKED.has(check);
    }
}
