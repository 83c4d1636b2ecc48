package org.treerename.local;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.cli.Settings;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Creates the rows of a table with the options of several programs. Options with the same name, default and meaning
 * have one row.
 */
final class OptionTable {

    /** The value that picocli uses for "no default". */
    private static final String NONE = "__no_default_value__";

    private static final String DEFAULT = " \\(default: \\$\\{DEFAULT-VALUE}\\)";

    private record Row(String name, String value, String meaning) {}

    /**
     * The programs that have the option of a row, with the commands of each program. The list of commands is empty for
     * a program without commands.
     */
    private final Map<Row, Map<String, List<String>>> rows = new LinkedHashMap<>();

    /**
     * The number of commands without subcommands, by program. The command that prints a completion script is not
     * counted.
     */
    private final Map<String, Integer> commands = new LinkedHashMap<>();

    void add(String program, CommandLine command) {
        commands.put(program, leaves(command));
        add(program, "", command);
    }

    private static int leaves(CommandLine command) {
        return command.getSubcommands().values().stream()
                .filter(OptionTable::isDocumented)
                .mapToInt(sub -> Math.max(1, leaves(sub)))
                .sum();
    }

    private static boolean isDocumented(CommandLine command) {
        return !command.getCommandName().equals("generate-completion");
    }

    private void add(String program, String name, CommandLine command) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (!option.usageHelp() && !option.versionHelp()) {
                List<String> names = rows.computeIfAbsent(row(option), row -> new LinkedHashMap<>())
                        .computeIfAbsent(program, some -> new ArrayList<>());
                if (!name.isEmpty() && leaves(command) == 0) {
                    names.add(name);
                }
            }
        }
        command.getSubcommands().forEach((sub, line) -> {
            if (isDocumented(line)) {
                add(program, name.isEmpty() ? sub : name + " " + sub, line);
            }
        });
    }

    /** Returns the names of the options of all or of some programs, without the two dashes. */
    List<String> names(Predicate<String> isWanted) {
        return rows.entrySet().stream()
                .filter(row -> row.getValue().keySet().stream().anyMatch(isWanted))
                .map(row -> row.getKey().name().substring(2))
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Reads the annotation of the option, which contains variables. In the model of picocli, values of this machine
     * have replaced the variables.
     */
    private static Row row(OptionSpec option) {
        CommandLine.Option declared = ((AnnotatedElement) option.userObject()).getAnnotation(CommandLine.Option.class);
        String meaning = String.join(" ", declared.description()).replaceAll(DEFAULT, "");
        Iterable<String> candidates = option.completionCandidates();
        if (candidates != null) {
            meaning = meaning.replace("${COMPLETION-CANDIDATES}", String.join(" or ", candidates));
        }
        return new Row(option.longestName(), value(declared.defaultValue()), meaning);
    }

    private static String value(String declared) {
        return switch (declared) {
            case "", NONE -> "";
            case "${sys:tree-rename.user}" -> "the user's name";
            default -> "`" + declared + "`";
        };
    }

    /** Returns the rows of the table, in the order of the options' names. */
    List<String> rows() {
        return rows.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().name()))
                .map(entry -> line(entry.getKey(), programs(entry.getValue())))
                .toList();
    }

    private static String line(Row row, String programs) {
        String meaning =
                row.meaning().replace("*", "\\*").replace("|", "\\|").replaceAll("(?<![\\w-])(--[a-z][a-z-]+)", "`$1`");
        return Stream.of(
                        "`" + row.name() + "`",
                        Settings.isAllowedOutside(row.name()) ? "`" + Settings.variable(row.name()) + "`" : "",
                        row.value(),
                        meaning,
                        programs)
                .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                .collect(Collectors.joining("", "|", ""));
    }

    private String programs(Map<String, List<String>> programs) {
        return programs.entrySet().stream()
                .map(entry -> entry.getValue().size() == commands.getOrDefault(entry.getKey(), 0)
                        ? entry.getKey()
                        : entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }
}
