package org.treerename.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.runtime.Printable;
import org.treerename.runtime.SimilarName;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes the error in a command line in one sentence: the expected input, the input found, and the correction. */
public final class WrongUse {

    private WrongUse() {}

    /** Returns the sentence for a command line that does not match the syntax of the command. */
    public static String sentence(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        return switch (wrong) {
            case UnmatchedArgumentException unmatched
            when !unmatched.getUnmatched().isEmpty() ->
                unmatched(command, unmatched.getUnmatched().getFirst());
            case MissingParameterException missing
            when !missing.getMissing().isEmpty()
                    && missing.getMissing().stream().allMatch(PositionalParamSpec.class::isInstance) ->
                "expected " + arguments(command) + ", found no " + labels(missing.getMissing());
            default -> isCommandMissing(wrong) ? commandMissing(command) : plain(String.valueOf(wrong.getMessage()));
        };
    }

    /**
     * Returns the line that the program prints on standard error.
     *
     * @param sentence a sentence about an option, a setting or an argument of the command
     */
    public static String line(CommandLine command, String sentence) {
        String program = root(command).getCommandName();
        return program + ": " + Printable.lines(sentence) + " (see "
                + command.getCommandSpec().qualifiedName() + " --help)";
    }

    private static CommandLine root(CommandLine command) {
        CommandLine parent = command.getParent();
        return parent == null ? command : root(parent);
    }

    private static String unmatched(CommandLine command, String found) {
        if (found.startsWith("-")) {
            Set<String> options =
                    new LinkedHashSet<>(command.getCommandSpec().optionsMap().keySet());
            String name = found.split("=", 2)[0];
            return "unknown option " + name
                    + SimilarName.to(name, options)
                            .map(similar -> "; did you mean " + similar + "?")
                            .orElse("");
        }
        Set<String> commands = command.getSubcommands().keySet();
        if (!commands.isEmpty()) {
            return "unknown command " + found
                    + SimilarName.to(found, commands)
                            .map(similar -> "; did you mean " + similar + "?")
                            .orElse("; expected one of " + String.join(", ", commands));
        }
        return "expected " + arguments(command) + ", found one more argument: " + found;
    }

    private static String arguments(CommandLine command) {
        List<PositionalParamSpec> arguments = command.getCommandSpec().positionalParameters();
        return arguments.isEmpty()
                ? "no argument"
                : arguments.stream().map(ArgSpec::paramLabel).collect(Collectors.joining(" "));
    }

    private static String labels(List<ArgSpec> missing) {
        return missing.stream().map(ArgSpec::paramLabel).collect(Collectors.joining(" and no "));
    }

    private static boolean isCommandMissing(ParameterException wrong) {
        return String.valueOf(wrong.getMessage()).startsWith("Missing required subcommand");
    }

    private static String commandMissing(CommandLine command) {
        return "expected a command, found none; the commands are "
                + String.join(", ", command.getSubcommands().keySet());
    }

    private static String plain(String message) {
        return message.replaceFirst("^Error: ", "");
    }
}
