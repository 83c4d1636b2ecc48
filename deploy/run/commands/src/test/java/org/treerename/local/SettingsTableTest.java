package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.cli.Settings;
import org.treerename.service.GeneratedTable;
import org.treerename.service.ServiceCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Tests the table of all options, which is generated from the programs. */
class SettingsTableTest {

    private static final Path PAGE = ScriptFolder.repository().resolve("deploy/docs/settings.md");

    private static final Path NAMES =
            ScriptFolder.repository().resolve("common/src/main/resources/org/treerename/cli/settings.txt");

    private static Map<String, CommandLine> programs() {
        Map<String, CommandLine> programs = new LinkedHashMap<>();
        programs.put("worker", ServiceCommand.of(new org.treerename.worker.Main()));
        programs.put("janitor", ServiceCommand.of(new org.treerename.janitor.Main()));
        programs.put("gateway", ServiceCommand.of(new org.treerename.producer.http.Main()));
        programs.put("`rename`", org.treerename.producer.cli.Main.commandLine());
        programs.put("`rename-admin`", org.treerename.janitor.admin.Main.commandLine());
        return programs;
    }

    private static OptionTable options() {
        OptionTable table = new OptionTable();
        programs().forEach(table::add);
        return table;
    }

    /** Returns the rows of the table, generated from the options of the programs. */
    private static List<String> table() {
        List<String> rows = new ArrayList<>(List.of(
                "| option | environment | default | meaning | applies to |", "| --- | --- | --- | --- | --- |"));
        rows.addAll(options().rows());
        return rows;
    }

    @Test
    void the_page_has_every_option_with_its_default_meaning_and_programs() {
        List<String> table = table();

        assertThat(new GeneratedTable(PAGE).rows(table)).containsExactlyElementsOf(table);
    }

    /**
     * Each program reads this list, so that the program can ignore the settings of other programs in a configuration
     * file. A new option of {@code rename} or {@code rename-admin} is allowed only on the command line. To allow it in
     * the environment and in the file, delete the mark from the list.
     */
    @Test
    void the_list_of_all_settings_has_every_option() throws IOException {
        List<String> services = options().names(program -> !program.startsWith("`"));
        List<String> before = Files.readAllLines(NAMES);
        List<String> lines = options().names(program -> true).stream()
                .map(name -> services.contains(name) || before.contains(name) ? name : name + " command-line")
                .toList();
        if ("write".equals(System.getProperty("pages"))) {
            Files.write(NAMES, lines);
        }

        assertThat(Files.readAllLines(NAMES)).containsExactlyElementsOf(lines);
    }

    /**
     * If a flag has no fallback value, picocli inverts the value that the environment gives. So this test gives each
     * flag of each command on the command line, and also in the environment if the environment may contain it.
     */
    @Test
    void a_flag_on_the_command_line_is_set_whatever_the_environment_contains() {
        Set<String> outside = new TreeSet<>();
        programs()
                .forEach((name, program) -> flags(program).forEach(flag -> {
                    Map<String, String> environment = new TreeMap<>();
                    if (Settings.isAllowedOutside(flag.longestName())) {
                        outside.add(flag.longestName());
                        environment.put(Settings.variable(flag.longestName()), "true");
                    }
                    CommandSpec alone = CommandSpec.create().addOption(flag);
                    CommandLine line = new CommandLine(alone)
                            .setDefaultValueProvider(Settings.of(environment, program, new String[0]));

                    line.parseArgs(flag.longestName());

                    assertThat(alone.findOption(flag.longestName()).<Boolean>getValue())
                            .as("%s %s with %s", name, flag.longestName(), environment)
                            .isTrue();
                }));
        assertThat(outside).containsExactly("--allow-plain-token", "--console", "--http-unprotected");
    }

    private static Stream<OptionSpec> flags(CommandLine command) {
        return Stream.concat(
                command.getCommandSpec().options().stream()
                        .filter(option -> option.typeInfo().isBoolean())
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .map(option -> OptionSpec.builder(option).build()),
                command.getSubcommands().values().stream().flatMap(SettingsTableTest::flags));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--yes",
                "--all",
                "--force",
                "--replace",
                "--again",
                "--repair",
                "--dry-run",
                "--request-id",
                "--after",
                "--undo",
                "--no-wait",
                "--direct",
                "--namespace"
            })
    void no_program_takes_an_option_of_one_call_from_the_environment_or_the_file(String option, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("config.yaml"), option.substring(2) + ": true\n");
        for (CommandLine program : programs().values()) {
            assertThatThrownBy(() -> Settings.of(Map.of(Settings.variable(option), "true"), program))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("expected no variable " + Settings.variable(option)
                            + " in the environment; give the option " + option + " on the command line instead");
            assertThatThrownBy(() -> Settings.of(Map.of("TREE_RENAME_CONFIG", file.toString()), program))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(": expected no setting " + option.substring(2)
                            + " in the file; use the option " + option + " instead");
        }
    }

    @Test
    void names_the_programs_of_an_option_and_separates_options_that_differ() {
        assertThat(table())
                .anyMatch(row -> row.startsWith("| `--lease` | `TREE_RENAME_LEASE` | `30s` |")
                        && row.endsWith("| worker, janitor |"))
                .anyMatch(row -> row.startsWith("| `--kafka-bootstrap-servers` | `KAFKA_BOOTSTRAP_SERVERS` | |")
                        && row.contains("| worker, janitor, gateway, `rename` (mv, ")
                        && row.contains("dlt replay"))
                .anyMatch(row -> row.startsWith("| `--config` | `TREE_RENAME_CONFIG` | |")
                        && row.endsWith("| worker, janitor, gateway, `rename`, `rename-admin` |"))
                .anyMatch(row -> row.startsWith("| `--requested-by` ") && row.contains("| the user's name |"))
                .noneMatch(row -> row.contains("${") || row.contains("`--help`"));
    }
}
