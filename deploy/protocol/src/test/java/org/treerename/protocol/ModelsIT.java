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
 * Every small model holds, and without any guard that it names the named property breaks.
 *
 * <p>All these runs of TLC take minutes, so {@code checked.txt} records those that were made. A run whose inputs are recorded is
 * not repeated, unless {@code -Dmodels=all} asks for it, as {@code -Pfull} does. A run whose inputs differ is repeated, and the
 * build fails until the new record is committed, whatever TLC found.
 *
 * <p>A recorded line covers all that TLC reads: its archive, every module, and the configuration with the guard left out. It also
 * has the expected verdict. The list of runs is computed from the code and the configurations each time, and the file must have
 * exactly that list. So a guard that disappears from a configuration fails the build as well.
 *
 * <p>Three errors can pass the default build, and only {@code -Pfull} finds them:
 *
 * <ul>
 *   <li>A person writes a line with a verdict that TLC did not give.
 *   <li>{@link ModelChecker} reads a verdict wrongly. Three runs are repeated in each build, one for each kind of verdict, so such
 *       an error must spare all three.
 *   <li>TLC finds something else under another JVM or operating system.
 * </ul>
 */
@Execution(ExecutionMode.CONCURRENT)
class ModelsIT {

    private static final Logger log = LoggerFactory.getLogger(ModelsIT.class);

    private static final boolean ALL = System.getProperty("models", "").equals("all");

    /** The cheapest run of each kind of verdict: it holds, an invariant breaks, a property of time breaks. */
    private static final Set<String> ALWAYS =
            Set.of("SharedLocks", "SharedLocks-without-StandingAboveSeen", "Claims-without-ClaimsKept");

    private static final List<Check> CHECKS = Check.small();
    private static final Checked CHECKED = Checked.read(Path.of("checked.txt"));

    private final ModelChecker checker = new ModelChecker(Path.of("target", "models"), 1, Duration.ofMinutes(5));

    @Test
    void the_record_of_what_was_checked_is_up_to_date() {
        assertThat(CHECKED.lines())
                .describedAs(
                        "deploy/protocol/checked.txt must have one line for each run of TLC, with the fingerprint of"
                                + " its present inputs. Run deploy/local/model-check --record, and commit the file.")
                .containsExactlyElementsOf(Checked.of(CHECKS).lines());
    }

    @Test
    void three_runs_are_repeated_each_time() {
        assertThat(CHECKS.stream().map(Check::name)).containsAll(ALWAYS);
    }

    @TestFactory
    Stream<DynamicTest> a_model_holds_and_breaks_without_a_guard() {
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
