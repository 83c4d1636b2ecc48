package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.process.ProcessContext;
import picocli.CommandLine;

final class ServiceOptionsTest {

    private static Host host(String... options) {
        CommandLine command = new CommandLine(new ServiceOptions()).setCaseInsensitiveEnumValuesAllowed(true);
        ServiceOptions parsed = command.getCommand();
        String[] all = new String[options.length + 2];
        all[0] = "--kafka-bootstrap-servers=kafka:9092";
        all[1] = "--elasticsearch-url=http://elastic:9200";
        System.arraycopy(options, 0, all, 2, options.length);
        command.parseArgs(all);
        return parsed.host(Instrumentation.NONE);
    }

    private static ProcessContext context(Host host) {
        return Wiring.Life.begin(host, "worker", "rename-worker", Duration.ZERO).context();
    }

    @Test
    void the_option_limits_the_passes_of_a_rename() {
        try (Host usual = host();
                Host patient = host("--max-passes=25")) {
            assertThat(context(usual).maxPasses()).isEqualTo(10);
            assertThat(context(patient).maxPasses()).isEqualTo(25);
        }
    }

    @Test
    void refuses_fewer_than_two_passes() {
        try (Host hasty = host("--max-passes=1")) {
            assertThatThrownBy(() -> context(hasty))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the maximum number of passes of a rename must be at least 2, was 1");
        }
    }

    @Test
    void a_process_id_begins_with_the_process_name_of_the_option() {
        try (Host usual = host();
                Host named = host("--process-name=rename-worker-7d9f-abcde")) {
            assertThat(context(usual).processId()).startsWith("worker-");
            assertThat(context(named).processId()).startsWith("rename-worker-7d9f-abcde-");
        }
    }

    @Test
    void refuses_a_process_name_with_a_blank() {
        assertThatThrownBy(() -> host("--process-name=my pod"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a process name must have 1 to 63 characters of A-Z, a-z, 0-9, . and -, found \"my pod\"");
    }
}
