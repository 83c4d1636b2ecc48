package org.treerename.host;

import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Settings;
import org.treerename.store.RefusedException;
import picocli.CommandLine;

/** The common code of the command lines of all services. It reads options and reports errors. */
public final class ServiceCommand {

    private static final Logger log = LoggerFactory.getLogger(ServiceCommand.class);

    private ServiceCommand() {}

    /**
     * Creates a command line. {@link #run} also reads its settings from the environment and from the settings file.
     *
     * @param command the picocli command, with the name that users type
     */
    public static CommandLine of(Object command) {
        CommandLine line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        String name = line.getCommandName();
        return line.setExecutionExceptionHandler((failure, failed, result) -> report(name, failure, failed.getErr()));
    }

    /** Runs the command. Returns the exit code. */
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
     * Reports a failure and returns the exit code. An invalid setting is an error of the user. For a refusal it prints
     * the message of the server. For every unexpected failure it prints the stack trace.
     */
    private static int report(String name, Exception failure, PrintWriter err) {
        if (failure instanceof IllegalArgumentException) {
            err.println(name + ": " + failure.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        if (failure instanceof RefusedException) {
            log.debug("a server refused a request", failure);
            err.println(name + ": " + failure.getMessage());
        } else {
            failure.printStackTrace(err);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
