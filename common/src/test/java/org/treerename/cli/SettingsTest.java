package org.treerename.cli;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

class SettingsTest {

    @Command(name = "worker", mixinStandardHelpOptions = true)
    static final class Worker {
        @Option(names = "--lock-wait", defaultValue = "1s", converter = DurationConverter.class)
        Duration lockWait = Duration.ZERO;

        @Option(names = {"-k", "--kafka-bootstrap-servers"})
        String kafka = "";

        @Option(names = "--notes")
        Path notes = Path.of("");
    }

    @Command(name = "mend")
    static final class Mend {
        @Option(names = "--mend-limit")
        int limit;
    }

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();

    private Path file(String content) throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, content);
        environment.put("TREE_RENAME_CONFIG", file.toString());
        return file;
    }

    private CommandLine parsed(Worker worker, String... arguments) {
        CommandLine command = new CommandLine(worker).addSubcommand(new Mend());
        command.getCommandSpec().addMixin("configuration", CommandSpec.forAnnotatedObject(new ConfigOptions()));
        command.setDefaultValueProvider(Settings.of(environment, command, arguments));
        command.parseArgs(arguments);
        return command;
    }

    private Worker worker(String... arguments) {
        Worker worker = new Worker();
        parsed(worker, arguments);
        return worker;
    }

    @Test
    void a_flag_overrides_the_environment_the_file_and_the_default() throws Exception {
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
        file("lock-wait: 2s\n");
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(2));
        environment.put("TREE_RENAME_LOCK_WAIT", "3s");
        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(3));
        assertThat(worker("--lock-wait", "4s").lockWait).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void knows_the_place_from_which_a_value_comes() throws Exception {
        assertThat(Settings.origin(parsed(new Worker()), "--lock-wait")).isEqualTo(Settings.Origin.DEFAULT);
        file("lock-wait: 2s\n");
        assertThat(Settings.origin(parsed(new Worker()), "--lock-wait")).isEqualTo(Settings.Origin.FILE);
        environment.put("TREE_RENAME_LOCK_WAIT", "3s");
        assertThat(Settings.origin(parsed(new Worker()), "--lock-wait")).isEqualTo(Settings.Origin.ENVIRONMENT);
        assertThat(Settings.origin(parsed(new Worker(), "--lock-wait=4s"), "--lock-wait"))
                .isEqualTo(Settings.Origin.COMMAND_LINE);
    }

    @Test
    void the_file_of_the_option_overrides_the_file_of_the_environment() throws Exception {
        file("lock-wait: 2s\n");
        Path other = Files.writeString(folder.resolve("other.yaml"), "lock-wait: 5s\n");

        assertThat(worker("--config", other.toString()).lockWait).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void only_a_command_for_people_reads_the_file_of_the_user() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home/.config/tree-rename"));
        Files.writeString(home.resolve("config.yaml"), "lock-wait: 2s\n");
        Path xdg = Files.createDirectories(folder.resolve("xdg/tree-rename"));
        Files.writeString(xdg.resolve("config.yaml"), "lock-wait: 3s\n");
        environment.put("HOME", folder.resolve("home").toString());

        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
        assertThat(ofPerson().lockWait).isEqualTo(Duration.ofSeconds(2));
        environment.put("XDG_CONFIG_HOME", folder.resolve("xdg").toString());
        assertThat(ofPerson().lockWait).isEqualTo(Duration.ofSeconds(3));
        environment.put("XDG_CONFIG_HOME", folder.resolve("nothing").toString());
        assertThat(ofPerson().lockWait).isEqualTo(Duration.ofSeconds(1));
    }

    private Worker ofPerson() {
        Worker worker = new Worker();
        CommandLine command = new CommandLine(worker);
        command.setDefaultValueProvider(Settings.ofPerson(environment, command));
        command.parseArgs();
        return worker;
    }

    @Test
    void a_path_of_the_file_is_relative_to_the_file_or_to_the_home_folder() throws Exception {
        file("notes: notes/today\n");
        assertThat(worker().notes).isEqualTo(folder.resolve("notes/today"));
        environment.put("HOME", "/home/me");
        file("notes: ~/notes\n");
        assertThat(worker().notes).isEqualTo(Path.of("/home/me/notes"));
        file("notes: /notes\n");
        assertThat(worker().notes).isEqualTo(Path.of("/notes"));
        environment.put("TREE_RENAME_NOTES", "here");
        assertThat(worker().notes).isEqualTo(Path.of("here"));
    }

    @Test
    void settings_of_other_programs_are_ignored_in_the_file_and_in_the_environment() throws Exception {
        file("lock-wait: 2s\nsweep-every: 1m\nhttp-port: 1\n");
        environment.put("TREE_RENAME_PARKED_EVERY", "1m");

        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(2));
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
    void an_unknown_setting_is_an_error_that_names_the_line_and_the_nearest() throws Exception {
        Path file = file("# of the worker\nlock-wait: 3s\n\nlock-wiat: 3s\n");

        assertThatThrownBy(this::worker)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ", line 4: unknown setting lock-wiat; did you mean lock-wait?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz: 1 | , line 1: unknown setting zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                "help: true | , line 1: unknown setting help",
                "config: x | , line 1: expected no setting config in the file; use the option --config instead",
                "namespace: x | , line 1: expected no setting namespace in the file; use the option --namespace instead",
                "lock-wait: [1s] | , line 1: expected one value for lock-wait, found a list or a mapping",
                "lock-wait: | , line 1: expected one value for lock-wait, found none",
                "{ lock-wait: 1s, lock-wait: 2s } | , line 1: expected lock-wait once in the file, found it twice",
                "[] | , line 1: expected names and values in the file, found a list or a single value",
                "'{' | , line 2: expected YAML, found an error",
            })
    void reports_what_is_wrong_with_a_file(String content, String message) throws Exception {
        Path file = file(content.replace("'", "") + "\n");

        assertThatThrownBy(this::worker)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + message);
    }

    @Test
    void an_empty_file_has_no_settings() throws Exception {
        file("# nothing yet\n");

        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void settings_of_subcommands_are_known() throws Exception {
        file("mend-limit: 3\n");

        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void ignores_variables_without_the_prefix() {
        environment.put("LOCK_WAIT", "3s");
        environment.put("HOME", "/");

        assertThat(worker().lockWait).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_file_that_cannot_be_read_is_an_error_that_names_it() {
        environment.put("TREE_RENAME_CONFIG", "/nowhere/config.yaml");

        assertThatThrownBy(this::worker)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nowhere/config.yaml");
    }
}
