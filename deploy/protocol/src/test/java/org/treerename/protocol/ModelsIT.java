package org.treerename.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every small model holds, and none does without any of the guards that it is said to need. */
@Execution(ExecutionMode.CONCURRENT)
class ModelsIT {

    private static final Logger log = LoggerFactory.getLogger(ModelsIT.class);

    private final ModelChecker checker = new ModelChecker(Path.of("target", "models"), 1, Duration.ofMinutes(5));

    @TestFactory
    Stream<DynamicTest> it_holds() {
        return Configuration.small().stream()
                .map(configuration -> dynamicTest(
                        configuration.name(),
                        () -> assertThat(check(configuration)).isInstanceOf(Verdict.Holds.class)));
    }

    @TestFactory
    Stream<DynamicTest> without_a_guard_the_named_property_breaks() {
        return Configuration.small().stream()
                .flatMap(configuration -> configuration.guards().stream()
                        .map(guard -> dynamicTest(
                                configuration.name() + " without " + guard.constant(),
                                () -> assertThat(check(configuration.without(guard)))
                                        .isInstanceOfSatisfying(
                                                Verdict.Breaks.class,
                                                breaks -> assertThat(breaks.property())
                                                        .isEqualTo(guard.breaks())))));
    }

    private Verdict check(Configuration configuration) {
        Verdict verdict = checker.check(configuration);
        log.info("{}: {}", configuration.name(), verdict);
        return verdict;
    }
}
