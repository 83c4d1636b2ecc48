package org.treerename.cli;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/** Adds the options and commands that every program has. */
public final class Programs {

    private static final String COMPLETION = "generate-completion";

    /** The system property with the name of the user. The defaults of options contain this property. */
    private static final String USER = "tree-rename.user";

    private Programs() {}

    /**
     * Adds the command {@code generate-completion} to a program. Adds the options {@code --help} and {@code --version}
     * to the program and to all its commands. Adds the option {@code --config} to the program
     * and to all commands except {@code generate-completion}.
     *
     * @param program the program with its commands
     */
    public static CommandLine complete(CommandLine program) {
        System.setProperty(USER, user(System.getProperty("user.name"), System.getenv()));
        if (!program.getSubcommands().containsKey(COMPLETION)) {
            program.addSubcommand(COMPLETION, new GenerateCompletion());
        }
        add(program, new Version(program.getCommandName()));
        return program.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    }

    /**
     * Returns the name of the user. In a container, the number of the user often has no name. Java then returns a
     * question mark, which would not help to find the sender of a request.
     */
    static String user(@Nullable String nameInJava, Map<String, String> environment) {
        return Stream.of(nameInJava, environment.get("USER"), environment.get("LOGNAME"))
                .filter(name -> name != null && !name.isBlank() && !name.equals("?"))
                .findFirst()
                .orElseGet(() -> "unnamed user on " + environment.getOrDefault("HOSTNAME", "an unnamed host"));
    }

    private static void add(CommandLine command, Version version) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.findOption("--help") == null) {
            spec.mixinStandardHelpOptions(true);
        }
        spec.versionProvider(version);
        if (!spec.name().equals(COMPLETION)) {
            spec.addMixin("configuration", CommandSpec.forAnnotatedObject(new ConfigOptions()));
        }
        command.getSubcommands().values().forEach(subcommand -> add(subcommand, version));
    }
}
