package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.treerename.cli.Programs;
import org.treerename.cli.Settings;
import org.treerename.cli.Terminal;
import org.treerename.cli.WrongUse;
import org.treerename.producer.CannotConnectException;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.runtime.Printable;
import org.treerename.runtime.StandardErrorLog;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program {@code rename}: builds the command line, and turns each failure into one sentence and an exit code. */
@Command(
        name = "rename",
        mixinStandardHelpOptions = true,
        description = "Renames directories in Elasticsearch, safely.",
        footer = {"", "Example: rename mv /drafts /archive/2026 --kafka-bootstrap-servers localhost:9092"})
public final class Main {

    /** The start script sets this system property to true if standard error is a terminal. */
    private static final String TERMINAL = "tree-rename.terminal";

    /** Without the metrics of the Kafka clients, a command starts faster. No program reads these metrics. */
    private static final Map<String, String> NO_METRICS =
            Map.of("metric.reporters", "", "enable.metrics.push", "false");

    private final Connectors connectors;
    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;

    Main(Connectors connectors, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        this.connectors = connectors;
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        StandardErrorLog.install();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(System.getenv(), out, err, arguments));
    }

    /** Runs one command inside this process and closes its clients. Returns the exit code. */
    public static int run(Map<String, String> environment, PrintWriter out, PrintWriter err, String... arguments) {
        return new Main(connectors(), environment, out, err).run(new SystemTime(), arguments);
    }

    /** Returns the command with its subcommands, so that a page of the documentation can list their options. */
    public static CommandLine commandLine() {
        PrintWriter none = new PrintWriter(Writer.nullWriter());
        return new Main(connectors(), Map.of(), none, none).commandLine(new SystemTime());
    }

    private static Connectors connectors() {
        return new Connectors(Main::connect, ElasticDryRun::of, ElasticRequests::open);
    }

    private static RenameProducer connect(ProducerSettings settings) {
        Map<String, String> properties = new HashMap<>(NO_METRICS);
        properties.putAll(settings.clientProperties());
        return RenameProducer.connect(settings.withClientProperties(properties));
    }

    /** Runs one command. Returns the exit code. */
    int run(Time time, String... arguments) {
        CommandLine command = commandLine(time);
        try {
            command.setDefaultValueProvider(Settings.ofPerson(environment, command, arguments));
        } catch (IllegalArgumentException e) {
            return wrongUse(command, String.valueOf(e.getMessage()));
        }
        return command.execute(arguments);
    }

    private CommandLine commandLine(Time time) {
        boolean terminal = Boolean.getBoolean(TERMINAL);
        return Programs.complete(new CommandLine(this)
                        .addSubcommand(new MvCommand(connectors.kafka(), connectors.dryRun(), terminal, time))
                        .addSubcommand(new BatchCommand(connectors.kafka(), terminal, time))
                        .addSubcommand(new ListCommand(connectors.requests()))
                        .addSubcommand(new StatusCommand(connectors.requests(), time))
                        .addSubcommand(new CancelCommand(connectors, time))
                        .addSubcommand(new UndoCommand(connectors, time))
                        .addSubcommand(new LsCommand())
                        .addSubcommand(new FindCommand())
                        .addSubcommand(new WatchCommand(Terminal.ofProcess(), time)))
                // a path may begin with @
                .setExpandAtFiles(false)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(
                        (wrong, rejected) -> wrongUse(wrong.getCommandLine(), WrongUse.sentence(wrong)))
                .setExecutionExceptionHandler((failure, failed, parsed) -> report(failed, failure));
    }

    private int report(CommandLine failed, Exception failure) {
        if (failure instanceof IllegalArgumentException) {
            return wrongUse(failed, String.valueOf(failure.getMessage()));
        }
        if (failure instanceof CannotConnectException) {
            err.println(Printable.lines(String.valueOf(failure.getMessage())));
            return ExitCodes.UNKNOWN;
        }
        err.println("rename: a defect in this program: " + Printable.lines(failure.toString()));
        return ExitCodes.DEFECT;
    }

    private int wrongUse(CommandLine command, String sentence) {
        err.println(WrongUse.line(command, sentence));
        return ExitCodes.WRONG_USE;
    }
}
