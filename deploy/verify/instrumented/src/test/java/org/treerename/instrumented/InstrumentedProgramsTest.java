package org.treerename.instrumented;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.service.ServiceCommand;
import org.treerename.service.ServiceCommandLine;
import org.treerename.service.ServiceCommandLine.Ended;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

final class InstrumentedProgramsTest {

    private static final String[] SERVERS = {"--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x"};

    static Stream<Arguments> programs() {
        return Stream.of(
                Arguments.of(ServiceCommand.of(new org.treerename.worker.Main()), InstrumentedWorker.command()),
                Arguments.of(ServiceCommand.of(new org.treerename.janitor.Main()), InstrumentedJanitor.command()));
    }

    private static Set<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void only_the_instrumented_program_has_the_options_of_the_instruments(
            CommandLine released, CommandLine instrumented) {
        Set<String> added = options(instrumented);
        added.removeAll(options(released));

        assertThat(options(instrumented)).containsAll(options(released));
        assertThat(added)
                .containsExactly(
                        "--crash-at",
                        "--fail-at",
                        "--freeze-at",
                        "--gate-at",
                        "--wall-clock-ahead",
                        "--wall-clock-behind");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void refuses_two_crash_points_before_it_connects(CommandLine released, CommandLine instrumented) {
        Ended ended = ServiceCommandLine.run(
                instrumented, SERVERS[0], SERVERS[1], "--crash-at=AFTER_COMMIT", "--freeze-at=AFTER_DONE");

        assertThat(ended)
                .isEqualTo(new Ended(
                        2,
                        released.getCommandName() + ": only one of --crash-at, --freeze-at, --fail-at and --gate-at is"
                                + " allowed, found 2\n"));
    }
}
