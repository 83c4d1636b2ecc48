package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;

/** Tests the command lines that {@code up} uses to start workers. */
class WorkerOptionsTest {

    private static final List<String> SERVERS = List.of("--elasticsearch-url=http://127.0.0.1:9200");

    private static RunningStack.Settings settings(String... workerOptions) {
        return new RunningStack.Settings(
                Path.of("/data"),
                2,
                1,
                Duration.ofSeconds(5),
                Duration.ofMinutes(2),
                List.of(workerOptions),
                new Installation("blue"));
    }

    @Test
    void workers_get_the_options_of_up_and_use_defaults_for_the_others() {
        assertThat(ServiceProcess.workerArguments(settings(), SERVERS))
                .containsExactly("--elasticsearch-url=http://127.0.0.1:9200", "--lease=5000ms", "--lock-wait=120000ms");
    }

    @Test
    void workers_get_further_options_after_those_of_up() {
        assertThat(ServiceProcess.workerArguments(settings("--page-size=1000", "--window=7"), SERVERS))
                .endsWith("--lock-wait=120000ms", "--page-size=1000", "--window=7");
    }

    @Test
    void a_detached_up_gets_every_setting() {
        assertThat(Up.arguments(settings("--page-size=1000")))
                .containsExactly(
                        "--workers=2",
                        "--janitors=1",
                        "--lease=5000ms",
                        "--lock-wait=120000ms",
                        "--worker-option=--page-size=1000",
                        "--prefix=blue",
                        "--folder=/data");
    }
}
