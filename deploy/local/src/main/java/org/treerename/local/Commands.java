package org.treerename.local;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** Runs one command, and turns whatever goes wrong into one sentence and an exit code. */
final class Commands {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    private static final OptionSpec HELP = OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this and end.")
            .build();

    private Commands() {}

    static int run(Callable<Integer> command, String... arguments) {
        CommandLine line = new CommandLine(command);
        line.getCommandSpec().addOption(HELP);
        return line
                // a path may begin with @
                .setExpandAtFiles(false)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setExecutionExceptionHandler((failure, failed, parsed) -> {
                    failed.getErr().println(failed.getCommandName() + ": " + inWords(failure));
                    return failure instanceof IllegalArgumentException ? WRONG_USE : FAILED;
                })
                .execute(arguments);
    }

    /** The messages of a failure and its causes, without repeating one. */
    private static String inWords(Throwable failure) {
        StringBuilder words = new StringBuilder(sentence(failure));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (words.indexOf(sentence(cause)) < 0) {
                words.append(": ").append(sentence(cause));
            }
        }
        return words.toString();
    }

    private static String sentence(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
