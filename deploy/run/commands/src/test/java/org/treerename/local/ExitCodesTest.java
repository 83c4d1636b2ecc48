package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.cli.ExitCode;
import org.treerename.service.GeneratedTable;
import org.treerename.service.ServiceCommand;
import picocli.CommandLine;

/** Tests the table of exit codes, which is generated from the help of all programs. */
class ExitCodesTest {

    private static final Path PAGE = ScriptFolder.repository().resolve("deploy/docs/exit-codes.md");

    /** The programs with their commands, by exit code and by meaning. */
    private final Map<Integer, Map<String, Map<String, List<String>>>> codes = new TreeMap<>();

    private void add(String program, CommandLine command) {
        add(program, "", command);
    }

    private void add(String program, String name, CommandLine command) {
        if (command.getSubcommands().keySet().stream().allMatch("generate-completion"::equals)) {
            command.getCommandSpec().usageMessage().exitCodeList().forEach((code, meaning) -> {
                List<String> commands = codes.computeIfAbsent(Integer.valueOf(code), some -> new LinkedHashMap<>())
                        .computeIfAbsent(meaning, some -> new LinkedHashMap<>())
                        .computeIfAbsent(program, some -> new ArrayList<>());
                if (!name.isEmpty()) {
                    commands.add(name);
                }
            });
        }
        command.getSubcommands().forEach((sub, line) -> {
            if (!sub.equals("generate-completion")) {
                add(program, name.isEmpty() ? sub : name + " " + sub, line);
            }
        });
    }

    private List<String> table() {
        add("worker", ServiceCommand.of(new org.treerename.worker.Main()));
        add("janitor", ServiceCommand.of(new org.treerename.janitor.Main()));
        add("gateway", ServiceCommand.of(new org.treerename.producer.http.Main()));
        add("`rename`", org.treerename.producer.cli.Main.commandLine());
        add("`rename-admin`", org.treerename.janitor.admin.Main.commandLine());
        List<String> rows = new ArrayList<>(List.of("| code | meaning | programs |", "| --- | --- | --- |"));
        for (ExitCode code : ExitCode.values()) {
            rows.add(row("**" + code.code() + "**", "**" + code.meaning() + "**", ""));
            codes.getOrDefault(code.code(), Map.of())
                    .forEach((meaning, programs) -> rows.add(row(code.code() + "", meaning, programs(programs))));
        }
        return rows;
    }

    private static String row(String... cells) {
        return Stream.of(cells)
                .map(cell -> cell.replaceAll("(?<![`\\w-])(--[a-z][a-z-]+)", "`$1`"))
                .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                .collect(Collectors.joining("", "|", ""));
    }

    private static String programs(Map<String, List<String>> programs) {
        return programs.entrySet().stream()
                .map(entry -> entry.getValue().isEmpty()
                        ? entry.getKey()
                        : entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }

    @Test
    void the_page_has_every_exit_code_of_every_command_with_its_meaning() {
        List<String> table = table();

        assertThat(new GeneratedTable(PAGE).rows(table)).containsExactlyElementsOf(table);
    }

    @Test
    void the_help_of_a_command_names_only_the_exit_codes_of_all_programs() {
        Set<Integer> known =
                Arrays.stream(ExitCode.values()).map(ExitCode::code).collect(Collectors.toSet());

        var unused = table();
        assertThat(known).containsAll(codes.keySet());
    }

    @Test
    void the_help_of_every_command_has_exit_codes() {
        for (CommandLine program : List.of(
                org.treerename.producer.cli.Main.commandLine(), org.treerename.janitor.admin.Main.commandLine())) {
            assertHelp(program);
        }
    }

    private static void assertHelp(CommandLine command) {
        command.getSubcommands().forEach((name, sub) -> {
            assertHelp(sub);
            if (!name.equals("generate-completion")) {
                assertThat(sub.getCommandSpec().usageMessage().exitCodeList().keySet())
                        .as(name)
                        .contains("0", "2", "3", "70", "130");
            }
        });
    }
}
