package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class SettingsTest {

    @Command(name = "worker", mixinStandardHelpOptions = true, subcommands = Mend.class)
    static final class Worker {
        @Option(names = "--lock-wait", defaultValue = "1s", converter = DurationConverter.class)
        Duration lockWait = Duration.ZERO;

        @Option(names = {"-k", "--kafka-bootstrap-servers"})
        String kafka = "";
    }

    @Command(name = "mend")
    static final class Mend {
        @Option(names = "--mend-limit")
        int limit;
    }

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();

    private void file(String content) throws IOException {
        Path file = folder.resolve("worker.properties");
        Files.writeString(file, content);
        environment.put("TREE_RENAME_SETTINGS", file.toString());
    }

    private Worker worker(String... arguments) {
        Worker worker = new Worker();
        CommandLine command = new CommandLine(worker);
        command.setDefaultValueProvider(Settings.of(environment, command));
        command.parseArgs(arguments);
        return worker;
    }

    @Test
    void a_flag_overrides_the_environment_the_file_and_the_default() throws Exception {
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
        file("lock-wait=2s\n");
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(2));
        environment.put("TREE_RENAME_LOCK_WAIT", "3s");
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(3));
        assertThat(worker("--lock-wait", "4s").lockWait).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void addresses_of_servers_have_no_prefix() {
        environment.put("KAFKA_BOOTSTRAP_SERVERS", "kafka:9092");

        assertThat(worker().kafka).isEqualTo("kafka:9092");
        assertThat(Settings.variable("--kafka-bootstrap-servers")).isEqualTo("KAFKA_BOOTSTRAP_SERVERS");
        assertThat(Settings.variable("--lock-wait")).isEqualTo("TREE_RENAME_LOCK_WAIT");
    }

    @Test
    void an_unknown_variable_is_an_error_that_names_the_nearest() {
        environment.put("TREE_RENAME_LOCK_WEIGHT", "3s");

        assertThatThrownBy(this::worker)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "unknown environment variable TREE_RENAME_LOCK_WEIGHT; did you mean TREE_RENAME_LOCK_WAIT?");
    }

    @Test
    void an_unknown_setting_of_the_file_is_an_error_that_names_the_nearest() throws Exception {
        file("lock-wiat=3s\n");

        assertThatThrownBy(this::worker)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown setting lock-wiat of " + environment.get("TREE_RENAME_SETTINGS")
                        + "; did you mean lock-wait?");
    }

    @Test
    void an_unknown_name_without_a_similar_one_has_no_hint() throws Exception {
        file("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz=1\n");

        assertThatThrownBy(this::worker)
                .hasMessage(
                        "unknown setting zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz of " + environment.get("TREE_RENAME_SETTINGS"));
    }

    @Test
    void settings_of_subcommands_are_known_and_help_is_not_a_setting() throws Exception {
        file("mend-limit=3\n");
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));

        file("help=true\n");
        assertThatThrownBy(this::worker).hasMessageStartingWith("unknown setting help");
    }

    @Test
    void ignores_variables_without_the_prefix() {
        environment.put("LOCK_WAIT", "3s");
        environment.put("HOME", "/");

        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_file_that_cannot_be_read_is_an_error_that_names_it() {
        environment.put("TREE_RENAME_SETTINGS", "/nowhere/x.properties");

        assertThatThrownBy(this::worker)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nowhere/x.properties");
    }
}
