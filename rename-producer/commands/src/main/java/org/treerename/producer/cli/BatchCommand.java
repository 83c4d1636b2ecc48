package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.namespace.Namespace;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.Sent;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code rename batch}: sends the renames of a file, in the order of the lines. */
@Command(
        name = "batch",
        mixinStandardHelpOptions = true,
        description = {
            "Sends one rename for each line of a file. Renames that overlap are processed in the order of their"
                    + " lines. All other renames are processed in parallel.",
            "",
            "The file is CSV, or each line is one JSON object with the fields of a request. The columns of CSV are"
                    + " source, destination, request_id, namespace, on_existing, requested_by and version. A first"
                    + " line with the names of the columns can set another order. Only source and destination are"
                    + " required.",
            "A line without a request id gets a computed request id. This id depends on the content of the file, the"
                    + " number of the line, and the options --namespace, --replace, --requested-by and --batch. So"
                    + " you can send the same file again after Ctrl-C, or if you do not know how the batch ended. A"
                    + " request that has ended is not processed again."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all requests are completed",
            "1:all requests have ended, but some are not completed, or bad lines were left out",
            "2:wrong use or bad lines; no request was sent",
            "3:Kafka or the gateway does not answer, no outcome arrived in time, or renames are parked; some requests may"
                    + " still be processed",
            "70:a defect in this program",
            "130:SIGINT (Ctrl-C) stopped the batch"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename batch renames.csv --kafka-bootstrap-servers localhost:9092",
            "  rename batch renames.csv --report outcomes.ndjson   # repeat this after Ctrl-C",
            "  rename batch renames.csv --batch 2026-08            # the same renames as new requests",
            "  rename batch renames.csv --server https://renames.example.com --token-file token",
            "  jq -c '{source: .old, destination: .new}' moves.json | rename batch - -o json"
        })
final class BatchCommand implements Callable<Integer> {

    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final int MAX_IN_FLIGHT = 1_000;
    private static final String STANDARD_INPUT = "-";

    private final Function<ProducerSettings, RenameProducer> connector;
    private final boolean terminal;
    private final Time time;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file with the renames, or - for standard input.")
    private String file = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ProducerOptions kafka = new ProducerOptions();

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The namespace of lines that contain no namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "";

    @Option(
            names = "--replace",
            description =
                    "Applies only to lines without on_existing. Allows a file to replace a file, and a directory to replace"
                            + " an empty directory.")
    private boolean replace;

    @Option(
            names = "--requested-by",
            defaultValue = "${sys:tree-rename.user}",
            paramLabel = "TEXT",
            description = "Free text for lines without requested_by (default: ${DEFAULT-VALUE}). The outcome contains"
                    + " this text.")
    private String requestedBy = "";

    @Option(
            names = "--batch",
            defaultValue = "",
            paramLabel = "NAME",
            description = "The name of the batch. With another name, the requests of the same file get other ids and"
                    + " are processed again.")
    private String label = "";

    @Option(
            names = "--in-flight",
            defaultValue = "500",
            paramLabel = "N",
            description = "The maximum number of lines that wait for their outcomes, 1 to " + MAX_IN_FLIGHT
                    + " (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(
            names = "--timeout",
            defaultValue = "10m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The longest time without any outcome or parked rename, such as 30s, 5m or 2h (default:"
                    + " ${DEFAULT-VALUE}). After this time the command gives up.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Append each outcome to this file, as one JSON object per line. A request with an outcome in this"
                            + " file is not sent again.")
    private @Nullable Path reportFile;

    @Option(names = "--skip-bad", description = "Leave out lines that contain no request, and send all other lines.")
    private boolean skipBad;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private Output output = new Output();

    /**
     * @param terminal whether standard error is a terminal
     */
    BatchCommand(Function<ProducerSettings, RenameProducer> connector, boolean terminal, Time time) {
        this.connector = connector;
        this.terminal = terminal;
        this.time = time;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (inFlight < 1 || inFlight > MAX_IN_FLIGHT) {
            throw new IllegalArgumentException("--in-flight must be 1 to " + MAX_IN_FLIGHT + ", was " + inFlight);
        }
        Optional<GatewayClient> gateway = server.client("--kafka-bootstrap-servers");
        Supplier<BatchSender> connect;
        List<Namespace> namespaces;
        if (gateway.isPresent()) {
            connect = () -> new GatewayBatchSender(gateway.get(), time, this::named);
            namespaces = List.of();
        } else {
            ProducerSettings settings = kafka.settings(installation.installation());
            connect = () -> toKafka(connector.apply(settings));
            namespaces = settings.namespaces();
        }
        BatchFile.Defaults defaults =
                new BatchFile.Defaults(namespace, replace ? "replace" : "fail", requestedBy, label, namespaces);
        try (BatchFile batch = copy(defaults)) {
            BatchCheck check = BatchCheck.of(batch);
            check.lines().forEach(line -> err().println(OutcomeLine.printable(line)));
            if (check.bad() > 0 && !skipBad) {
                err().println("nothing was sent; lines that contain no request: " + check.bad() + " of "
                        + (check.bad() + check.requests())
                        + "; correct these lines, or leave them out with --skip-bad");
                return ExitCodes.WRONG_USE;
            }
            return send(batch, check, connect);
        }
    }

    static BatchSender toKafka(RenameProducer producer) {
        return new BatchSender() {
            @Override
            public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
                return producer.submit(request, after, listener);
            }

            @Override
            public void close() {
                producer.close(CLOSE);
            }
        };
    }

    /** With a token, the gateway adds the name of the token's owner instead of the default name. */
    private ObjectNode named(ObjectNode request) {
        boolean isDefault = request.path("requested_by").asText().equals(requestedBy);
        if (server.hasToken() && isDefault && !server.isSet("--requested-by")) {
            request.remove("requested_by");
        }
        return request;
    }

    private BatchFile copy(BatchFile.Defaults defaults) {
        try (InputStream in = file.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(file))) {
            return BatchFile.copyOf(in, defaults);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
        }
    }

    private int send(BatchFile batch, BatchCheck check, Supplier<BatchSender> connect)
            throws IOException, InterruptedException {
        Interruption interruption = new Interruption();
        interruption.listen();
        int code = ExitCodes.DEFECT;
        try {
            code = send(batch, check, connect, interruption);
            return code;
        } finally {
            interruption.end(code);
        }
    }

    private int send(BatchFile batch, BatchCheck check, Supplier<BatchSender> connect, Interruption interruption)
            throws IOException, InterruptedException {
        long startNanos = time.nanos();
        Tally tally = new Tally();
        String stopReason;
        try (OutcomeLog log = OutcomeLog.open(reportFile, batch.id(), tally);
                BatchReader lines = batch.read();
                ProgressLine progress =
                        new ProgressLine(err(), terminal, time, tally.count().ended())) {
            try (BatchSender sender = connect.get()) {
                BatchRun.Limits limits = new BatchRun.Limits(check.requests(), inFlight, timeout);
                stopReason =
                        new BatchRun(sender, limits, tally, time, interruption::isRequested).run(lines, log, progress);
            }
        }
        Duration taken = Duration.ofNanos(time.nanos() - startNanos);
        return report(
                new BatchSummary(
                        batch.id(), check.requests(), check.bad(), tally.count(), interruption.isRequested(), taken),
                stopReason);
    }

    private int report(BatchSummary summary, @Nullable String stopReason) {
        output.object(summary.json(), summary::lines);
        if (!summary.isOver()) {
            Tally.Count count = summary.count();
            String why = stopReason == null ? "all other requests have ended" : "stopped: " + stopReason;
            err().println(OutcomeLine.printable((summary.interrupted() ? "interrupted" : why)
                    + "; requests: "
                    + count.ended()
                    + " ended (" + count.notDone() + " without success), " + summary.openAndNotSent()
                    + "; open requests may still be processed; repeat the command with the"
                    + " same content to continue; no request is processed twice"));
        }
        return summary.exitCode();
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
