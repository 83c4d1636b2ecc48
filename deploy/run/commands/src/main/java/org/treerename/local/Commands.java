package org.treerename.local;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** Runs one command, and converts every failure to one message and an exit code. */
final class Commands {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    private static final OptionSpec HELP = OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help message and exit.")
            .build();

    private Commands() {}

    static int run(Callable<Integer> command, String... arguments) {
        CommandLine line = new CommandLine(command);
        line.getCommandSpec().addOption(HELP);
        return line
                // picocli must not treat a path that begins with @ as the name of a file with arguments
                .setExpandAtFiles(false)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setExecutionExceptionHandler((failure, failed, parsed) -> {
                    failed.getErr().println(failed.getCommandName() + ": " + inWords(failure));
                    return failure instanceof IllegalArgumentException ? WRONG_USE : FAILED;
                })
                .execute(arguments);
    }

    private static String inWords(Throwable failure) {
        StringBuilder words = new StringBuilder(message(failure));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (words.indexOf(message(cause)) < 0) {
                words.append(": ").append(message(cause));
            }
        }
        return words.toString();
    }

    private static String message(Throwable failure) {
        String text = failure.getMessage();
        return text == null ? failure.getClass().getSimpleName() : text;
    }
}
