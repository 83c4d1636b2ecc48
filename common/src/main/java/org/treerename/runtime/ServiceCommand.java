package org.treerename.runtime;

import java.io.PrintWriter;
import picocli.CommandLine;

/** How every service's command line is read, run, and fails. */
public final class ServiceCommand {

    private ServiceCommand() {}

    /**
     * A command whose settings also come from the environment and the settings file, once it is {@linkplain #run run}.
     *
     * @param command picocli's, named as people call it
     */
    public static CommandLine of(Object command) {
        CommandLine line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        String name = line.getCommandName();
        return line.setExecutionExceptionHandler((failure, failed, result) -> told(name, failure, failed.getErr()));
    }

    /** Runs it; the exit code. */
    public static int run(CommandLine command, String... args) {
        try {
            command.setDefaultValueProvider(Settings.of(System.getenv(), command));
        } catch (IllegalArgumentException e) {
            command.getErr().println(command.getCommandName() + ": " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        return command.execute(args);
    }

    /** A setting that cannot be is the caller's mistake; everything else is a failure. */
    private static int told(String name, Exception failure, PrintWriter err) {
        if (failure instanceof IllegalArgumentException) {
            err.println(name + ": " + failure.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        failure.printStackTrace(err);
        return CommandLine.ExitCode.SOFTWARE;
    }
}
