package org.treerename.host;

import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Settings;
import org.treerename.store.RefusedException;
import picocli.CommandLine;

/** How every service's command line is read, run, and fails. */
public final class ServiceCommand {

    private static final Logger log = LoggerFactory.getLogger(ServiceCommand.class);

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

    /**
     * A setting that cannot be is the caller's mistake, and what a server refuses is told by its own words; everything else
     * nobody expected.
     */
    private static int told(String name, Exception failure, PrintWriter err) {
        if (failure instanceof IllegalArgumentException) {
            err.println(name + ": " + failure.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        if (failure instanceof RefusedException) {
            log.debug("refused", failure);
            err.println(name + ": " + failure.getMessage());
        } else {
            failure.printStackTrace(err);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
