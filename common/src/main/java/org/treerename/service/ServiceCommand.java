package org.treerename.service;

import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.cli.ExitCode;
import org.treerename.cli.Programs;
import org.treerename.cli.Settings;
import org.treerename.cli.WrongUse;
import org.treerename.store.RefusedException;
import picocli.CommandLine;

/** Runs the command line of a service: reads the options, reports errors, and returns the exit code. */
public final class ServiceCommand {

    private static final Logger log = LoggerFactory.getLogger(ServiceCommand.class);

    private ServiceCommand() {}

    /**
     * Creates a command line. In addition to the arguments, {@link #run} reads settings from the environment and from
     * the configuration file.
     *
     * @param command the picocli command, with the name that users type
     */
    public static CommandLine of(Object command) {
        return Programs.complete(new CommandLine(command))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(
                        (wrong, rejected) -> wrongUse(wrong.getCommandLine(), WrongUse.sentence(wrong)))
                .setExecutionExceptionHandler((failure, failed, result) -> report(failed, failure));
    }

    /** Runs the command. Returns the exit code. */
    public static int run(CommandLine command, String... args) {
        try {
            command.setDefaultValueProvider(Settings.of(System.getenv(), command, args));
        } catch (IllegalArgumentException e) {
            return wrongUse(command, String.valueOf(e.getMessage()));
        }
        return command.execute(args);
    }

    private static int report(CommandLine command, Exception failure) {
        PrintWriter err = command.getErr();
        if (failure instanceof IllegalArgumentException) {
            // the cause is a wrong setting, or a server that rejects this process; the help text would not explain the
            // cause
            err.println(command.getCommandName() + ": " + failure.getMessage());
            return ExitCode.WRONG_USE.code();
        }
        if (failure instanceof RefusedException) {
            log.debug("a server refused a request", failure);
            err.println(command.getCommandName() + ": " + failure.getMessage());
            return ExitCode.NO_ANSWER.code();
        }
        failure.printStackTrace(err);
        return ExitCode.DEFECT.code();
    }

    private static int wrongUse(CommandLine command, String sentence) {
        command.getErr().println(WrongUse.line(command, sentence));
        return ExitCode.WRONG_USE.code();
    }
}
