package org.treerename.janitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.cli.Settings;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.process.Lease;
import org.treerename.service.ServiceCommandLine;
import org.treerename.service.ServiceCommandLine.Ended;
import org.treerename.service.ServiceSettings;
import picocli.CommandLine;

final class MainTest {

    private static final String[] SERVERS = {"--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x"};

    private static final ServiceSettings SHARED = new ServiceSettings(
            null,
            KafkaClientSettings.of("x:1"),
            Elastic.Settings.of("http://x", Duration.ofSeconds(30)),
            0,
            new Lease(Duration.ofSeconds(30)),
            ElasticTreeStore.Limits.DEFAULT,
            10,
            null,
            Duration.ofSeconds(15));

    @Test
    void refuses_a_mistyped_variable_and_suggests_the_nearest_known_one() {
        CommandLine command = Main.command();
        assertThatThrownBy(() -> Settings.of(Map.of("TREE_RENAME_SWEEPEVERY", "1s"), command))
                .hasMessageContaining("TREE_RENAME_SWEEPEVERY")
                .hasMessageContaining("did you mean TREE_RENAME_SWEEP_EVERY?");
    }

    @Test
    void refuses_invalid_and_missing_options_with_the_reason() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=100ms"))
                .isEqualTo(new Ended(2, "lock-janitor: a lease must be at least 500ms long, found 100ms\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--page-size=0"))
                .isEqualTo(new Ended(2, "lock-janitor: a page must have 1 to 100000 documents, found 0\n"));
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    @Test
    void refuses_a_public_console_without_tokens_and_an_invalid_console_port() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--console-host=0.0.0.0"))
                .isEqualTo(new Ended(
                        2,
                        "lock-janitor: other machines can reach --console-host 0.0.0.0: --console-token-file is"
                                + " required\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--console-port=65536"))
                .isEqualTo(new Ended(2, "lock-janitor: --console-port must be 0 to 65535, was 65536\n"));
    }

    /** Returns the settings of a janitor that was started with these options. */
    private static JanitorSettings settings(String... options) {
        return settings(SHARED, options);
    }

    private static JanitorSettings settings(ServiceSettings shared, String... options) {
        CommandLine command = Main.command();
        List<String> arguments = new ArrayList<>(List.of(SERVERS));
        arguments.addAll(List.of(options));
        command.parseArgs(arguments.toArray(String[]::new));
        Main main = command.getCommand();
        return main.settings(shared);
    }

    @Test
    void uses_the_consumer_group_of_its_installation_unless_an_option_names_another() {
        ServiceSettings blue = new ServiceSettings(
                null,
                SHARED.kafka().in(new Installation("blue")),
                SHARED.elasticsearch(),
                0,
                SHARED.lease(),
                SHARED.limits(),
                SHARED.maxPasses(),
                null,
                SHARED.shutdownGrace());

        assertThat(settings().groupId()).isEqualTo("rename-workers");
        assertThat(settings(blue).groupId()).isEqualTo("blue.rename-workers");
        assertThat(settings(blue, "--group-id=g").groupId()).isEqualTo("g");
    }

    @Test
    void refuses_an_invalid_prefix() {
        assertThat(run(SERVERS[0], SERVERS[1], "--prefix=Blue").error())
                .startsWith("lock-janitor: the prefix must have 1 to 63 characters of a-z, 0-9 and hyphens")
                .endsWith("was \"Blue\"\n");
    }

    @Test
    void sets_its_intervals_and_retentions() {
        assertThat(settings())
                .isEqualTo(new JanitorSettings(
                        SHARED.lease(),
                        "rename-workers",
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(5),
                        Duration.ofDays(8),
                        Duration.ofDays(1),
                        Duration.ofHours(1)));
        assertThat(settings(
                        "--group-id=g",
                        "--sweep-every=2s",
                        "--parked-every=3s",
                        "--journal-retention=4s",
                        "--process-retention=5s",
                        "--audit-every=6s"))
                .isEqualTo(new JanitorSettings(
                        SHARED.lease(),
                        "g",
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(24),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(6)));
        assertThat(settings("--audit-every=0s").auditEvery()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--process-retention", "--audit-every"})
    void refuses_an_invalid_duration(String option) {
        for (String value : List.of("soon", "-1s", "5")) {
            Ended ended = ServiceCommandLine.run(Main.command(), SERVERS[0], SERVERS[1], option + "=" + value);

            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.error())
                    .contains(
                            "'" + option + "'",
                            "a duration must be a number and a unit (ms, s, m, h or d), for example 30s, found \""
                                    + value + "\"");
        }
    }

    private static Ended run(String... arguments) {
        return ServiceCommandLine.run(Main.command(), arguments);
    }
}
