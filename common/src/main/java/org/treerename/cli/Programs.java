package org.treerename.cli;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/** Adds the options and commands that every program has. */
public final class Programs {

    private static final String COMPLETION = "generate-completion";

    private Programs() {}

    /**
     * Adds the command {@code generate-completion} to a program. Adds the options {@code --help} and {@code --version}
     * to the program and to all its commands. Adds the options {@code --config} and {@code --context} to the program
     * and to all commands except {@code generate-completion}.
     *
     * @param program the program with its commands
     */
    public static CommandLine complete(CommandLine program) {
        if (!program.getSubcommands().containsKey(COMPLETION)) {
            program.addSubcommand(COMPLETION, new GenerateCompletion());
        }
        add(program, new Version(program.getCommandName()));
        return program.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
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
