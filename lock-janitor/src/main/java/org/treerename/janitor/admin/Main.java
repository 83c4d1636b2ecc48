package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.treerename.cli.Programs;
import org.treerename.cli.Settings;
import org.treerename.cli.Terminal;
import org.treerename.cli.WrongUse;
import org.treerename.runtime.Printable;
import org.treerename.runtime.StandardErrorLog;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program {@code rename-admin}. Creates the command line, and reports a failure as one sentence and an exit code.
 */
@Command(
        name = "rename-admin",
        mixinStandardHelpOptions = true,
        description = {
            "Shows locks, renames and processes. Fences hung processes, pauses workers, retries parked renames, and"
                    + " replays dead letters. Proposes and defines namespaces, creates topics, and examines the"
                    + " servers.",
            "Each option can also be set as an environment variable. For example, --lease is TREE_RENAME_LEASE."
                    + " KAFKA_BOOTSTRAP_SERVERS and ELASTICSEARCH_URL do not begin with TREE_RENAME_."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:failure",
            "2:wrong use",
            "3:no answer from Elasticsearch or Kafka, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
public final class Main {

    public static void main(String[] arguments) {
        StandardErrorLog.install();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(System.getenv(), out, err, arguments));
    }

    /** Runs one command inside this process, closes the clients of the command, and returns the exit code. */
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
            command.setDefaultValueProvider(Settings.ofPerson(environment, command, arguments));
        } catch (IllegalArgumentException e) {
            return wrongUse(command, String.valueOf(e.getMessage()));
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
        return Programs.complete(new CommandLine(new Main())
                        .addSubcommand(new InitCommand(Terminal.ofProcess()))
                        .addSubcommand(new DoctorCommand(time))
                        .addSubcommand(new AuditCommand(time))
                        .addSubcommand(new CheckCommand())
                        .addSubcommand(new ProcessesCommand(time))
                        .addSubcommand(new RenamesCommand(time))
                        .addSubcommand(new LocksCommand())
                        .addSubcommand(new FenceCommand(Terminal.ofProcess()))
                        .addSubcommand(new PauseCommand(time))
                        .addSubcommand(new UnpauseCommand(time))
                        .addSubcommand(new RetryParkedCommand(time))
                        .addSubcommand(new AbandonCommand(Terminal.ofProcess(), time))
                        .addSubcommand(DltCommand.with(time))
                        .addSubcommand(NamespacesCommand.withCommands())
                        .addSubcommand(new TopicsCommand(admins)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                // a request id may begin with @, so an argument with @ does not name a file
                .setExpandAtFiles(false)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(
                        (wrong, rejected) -> wrongUse(wrong.getCommandLine(), WrongUse.sentence(wrong)))
                .setExecutionExceptionHandler((failure, failed, parsed) -> report(failed, failure));
    }

    private static int report(CommandLine command, Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof IllegalArgumentException) {
            return wrongUse(command, message);
        }
        if (failure instanceof NoAnswerException || failure instanceof RefusedException) {
            command.getErr().println("rename-admin: " + Printable.lines(message));
            return ExitCodes.NO_ANSWER;
        }
        command.getErr().println("rename-admin: a defect in this program: " + Printable.lines(failure.toString()));
        return ExitCodes.DEFECT;
    }

    private static int wrongUse(CommandLine command, String sentence) {
        command.getErr().println(WrongUse.line(command, sentence));
        return ExitCodes.WRONG_USE;
    }
}
