package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Settings;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Terminal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;

/** {@code rename-admin}: creates the command line, and reports each failure as one sentence and an exit code. */
@Command(
        name = "rename-admin",
        mixinStandardHelpOptions = true,
        description = {
            "Shows locks, renames and processes, fences hung processes, pauses workers, resumes parked renames,"
                    + " replays dead letters, defines namespaces, and creates topics.",
            "Each option can also be set as an environment variable. For example, --lease is TREE_RENAME_LEASE."
                    + " KAFKA_BOOTSTRAP_SERVERS and ELASTICSEARCH_URL have no prefix."
        },
        footer = {"", "Exit codes: 0 success; 1 failure; 2 wrong use; 3 Elasticsearch or Kafka did not answer."})
public final class Main {

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(System.getenv(), out, err, arguments));
    }

    /** Runs one command inside this process and closes its clients. Returns the exit code. */
    public static int run(Map<String, String> environment, PrintWriter out, PrintWriter err, String... arguments) {
        return run(KafkaReach::admin, environment, out, err, arguments);
    }

    /**
     * Runs one command and returns the exit code.
     *
     * @param admins the function that connects to Kafka
     */
    static int run(
            Function<KafkaReach, Admin> admins,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        CommandLine command = commandLine(admins, out, err);
        try {
            command.setDefaultValueProvider(Settings.of(environment, command));
        } catch (IllegalArgumentException e) {
            return wrongUse(err, e.getMessage());
        }
        return command.execute(arguments);
    }

    /** Returns the command with its subcommands, for documentation that lists their options. */
    public static CommandLine commandLine() {
        PrintWriter none = new PrintWriter(Writer.nullWriter());
        return commandLine(KafkaReach::admin, none, none);
    }

    private static CommandLine commandLine(Function<KafkaReach, Admin> admins, PrintWriter out, PrintWriter err) {
        Time time = new SystemTime();
        return new CommandLine(new Main())
                .addSubcommand(new AuditCommand(time))
                .addSubcommand(new CheckCommand())
                .addSubcommand(new ProcessesCommand(time))
                .addSubcommand(new RenamesCommand(time))
                .addSubcommand(new LocksCommand())
                .addSubcommand(new FenceCommand(Terminal.ofProcess()))
                .addSubcommand(new PauseCommand(time))
                .addSubcommand(new UnpauseCommand())
                .addSubcommand(new ResumeCommand(time))
                .addSubcommand(DltCommand.with(time))
                .addSubcommand(NamespacesCommand.withCommands())
                .addSubcommand(new TopicsCommand(admins))
                // a request id may begin with @
                .setExpandAtFiles(false)
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setParameterExceptionHandler((wrong, rejected) -> wrongUse(err, wrong.getMessage()))
                .setExecutionExceptionHandler((failure, failed, parsed) -> report(err, failure));
    }

    private static int report(PrintWriter err, Exception failure) {
        if (failure instanceof IllegalArgumentException) {
            return wrongUse(err, failure.getMessage());
        }
        err.println("rename-admin: " + Printable.lines(String.valueOf(failure.getMessage())));
        return failure instanceof NoAnswerException ? ExitCodes.NO_ANSWER : ExitCodes.NOT_WELL;
    }

    private static int wrongUse(PrintWriter err, @Nullable String sentence) {
        err.println("rename-admin: " + Printable.lines(String.valueOf(sentence)) + " (see rename-admin --help)");
        return ExitCodes.WRONG_USE;
    }
}
