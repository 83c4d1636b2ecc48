package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.elastic.Elastic;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.producer.direct.DirectSettings;
import org.treerename.producer.forecast.Forecast;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;
import org.treerename.request.RequestIds;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code rename mv}: sends one rename. */
@Command(
        name = "mv",
        mixinStandardHelpOptions = true,
        description = "Renames a file, or a directory with all files and directories below it.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:completed (with --until decided: decided; with --no-wait: acknowledged; with --dry-run: the rename could"
                    + " begin now)",
            "1:rejected, failed or cancelled, and no document has moved (with --dry-run: the rename could not begin"
                    + " now)",
            "2:wrong use",
            "3:no answer from Kafka or the gateway, a refused request, a parked rename, or no outcome or decision in"
                    + " time; the rename may still be processed (with --dry-run: no answer from Elasticsearch; with"
                    + " --direct: no answer from Elasticsearch, a refused request, or a parked rename)",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C); the rename may still be processed (with --direct: nothing has moved, or a"
                    + " janitor finishes the rename)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename mv /drafts /archive/2026 --kafka-bootstrap-servers localhost:9092",
            "  KAFKA_BOOTSTRAP_SERVERS=localhost:9092 rename mv /a.txt /b.txt --replace",
            "  rename mv /a /b --request-id nightly-2026-08-01   # processed once, even if it is sent again",
            "  id=$(rename mv /a /b --no-wait)                   # later: rename mv /a /b --request-id $id",
            "  rename mv /a /b -o json | jq .status",
            "  rename mv /a /b --until decided                   # does not wait until the documents have moved",
            "  rename mv /a /b --dry-run --elasticsearch-url http://localhost:9200",
            "  rename mv /a /b --direct --elasticsearch-url http://localhost:9200   # without Kafka",
            "  rename mv /a /b --server https://renames.example.com --token-file token",
            "",
            "An option can also be given as an environment variable (--timeout is TREE_RENAME_TIMEOUT,",
            "--kafka-bootstrap-servers is KAFKA_BOOTSTRAP_SERVERS, --elasticsearch-url is ELASTICSEARCH_URL)",
            "or in the configuration file (timeout: 5m)."
        })
final class MvCommand implements Callable<Integer> {

    /** The character by which Java replaces bytes that are not valid in the encoding of the locale. */
    private static final char UNDECODABLE = '\uFFFD';

    private final Function<ProducerSettings, RenameProducer> connector;
    private final BiFunction<Elastic.Settings, RenameRequest, Forecast> dryRun;
    private final boolean errIsTerminal;
    private final Time time;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SOURCE", description = "The absolute path to rename.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "DESTINATION", description = "The new absolute path.")
    private String destination = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ProducerOptions kafka = new ProducerOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--namespace",
            defaultValue = "files",
            paramLabel = "NAME",
            description = "The namespace of the paths (default: ${DEFAULT-VALUE}).")
    private String namespace = "";

    @Option(
            names = "--replace",
            description = "Allows a file to replace a file, and a directory to replace an empty directory.")
    private boolean replace;

    @Option(
            names = "--request-id",
            paramLabel = "ID",
            description = "The id of the request (default: a new id). To send an earlier request again, use the id of"
                    + " the earlier request.")
    private @Nullable String requestId;

    @Option(
            names = "--after",
            paramLabel = "ID",
            description = "The id of a request that must end before this rename begins. This option may be repeated.")
    private List<String> after = new ArrayList<>();

    @Option(
            names = "--document-version",
            paramLabel = "N",
            description = "The version of the documents after they move. This option is required if another system"
                    + " assigns the versions and the namespace has no version_field. Otherwise it is not allowed.")
    private @Nullable Long version;

    @Option(
            names = "--requested-by",
            defaultValue = "${sys:tree-rename.user}",
            paramLabel = "TEXT",
            description = "Free text (default: ${DEFAULT-VALUE}). The outcome contains this text.")
    private String requestedBy = "";

    @Option(
            names = "--timeout",
            defaultValue = "60s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The longest time to wait after the request is sent, such as 500ms, 30s or 5m (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--until",
            defaultValue = "completed",
            converter = Until.Converter.class,
            paramLabel = "WHAT",
            description =
                    "The event to wait for: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). One write decides a"
                            + " rename, and its documents move after this write. With decided, the command prints the"
                            + " time from the request to this write. If the rename is not decided, the command prints"
                            + " the outcome.")
    private Until until = Until.COMPLETED;

    @Option(
            names = "--no-wait",
            description =
                    "Wait only until Kafka or the gateway has acknowledged the request, and print the request id.")
    private boolean noWait;

    @Option(
            names = "--dry-run",
            description = "Only print a forecast of the rename: the number of documents to move, the reasons against"
                    + " the rename, the locks that block the rename, and the estimated time. The rename is not sent."
                    + " This option needs --elasticsearch-url or --server, but not Kafka.")
    private boolean dryRunOnly;

    @Mixin
    private DirectOptions direct = new DirectOptions();

    @Mixin
    private Output output = new Output();

    MvCommand(
            Function<ProducerSettings, RenameProducer> connector,
            BiFunction<Elastic.Settings, RenameRequest, Forecast> dryRun,
            boolean errIsTerminal,
            Time time) {
        this.connector = connector;
        this.dryRun = dryRun;
        this.errIsTerminal = errIsTerminal;
        this.time = time;
    }

    @Override
    public Integer call() throws InterruptedException {
        requireUsable();
        if (dryRunOnly) {
            return forecast(request(requestId == null ? "dry-run" : requestId));
        }
        if (direct.isWanted(server)) {
            return runDirect();
        }
        try (RequestSender sender = sender()) {
            RenameRequest request = request(requestId == null ? sender.newRequestId() : requestId);
            Patience patience = new Patience(request.requestId(), timeout, err());
            SentRequest sent = new SentRequest(sender, request, after, patience, output);
            if (noWait) {
                return sent.acknowledge();
            }
            return until == Until.DECIDED ? sent.decide() : end(sent);
        } catch (UnknownEndException | RefusedException e) {
            err().println(OutcomeLine.printable(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
    }

    private RequestSender sender() {
        return server.client("--kafka-bootstrap-servers")
                .<RequestSender>map(gateway ->
                        new GatewayRequestSender(gateway, time, !server.hasToken() || server.isSet("--requested-by")))
                .orElseGet(() -> new KafkaRequestSender(connector.apply(kafka.settings(installation.installation()))));
    }

    private RenameRequest request(String id) {
        OnExisting onExisting = replace ? OnExisting.REPLACE : OnExisting.FAIL;
        RenameRequest request = new RenameRequest(id, namespace, source, destination, onExisting, requestedBy);
        return version == null ? request : request.withVersion(version);
    }

    private int forecast(RenameRequest request) {
        JsonNode forecast;
        try {
            forecast = server.client("--elasticsearch-url")
                    .map(gateway -> ForecastReport.of(gateway, request))
                    .orElseGet(() -> ForecastReport.json(
                            request, dryRun.apply(elasticsearch.settings(installation.installation()), request)));
        } catch (NoAnswerException | RefusedException e) {
            err().println(OutcomeLine.printable(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
        output.object(forecast, () -> ForecastReport.lines(forecast));
        return ForecastReport.couldBegin(forecast) ? ExitCodes.DONE : ExitCodes.NOT_DONE;
    }

    private int runDirect() throws InterruptedException {
        DirectSettings settings = direct.settings(elasticsearch.settings(installation.installation()));
        return new DirectMv(settings, output, err(), errIsTerminal, time)
                .run(newId -> request(requestId == null ? newId : requestId));
    }

    private void requireUsable() {
        if (version != null && version < 1) {
            throw new IllegalArgumentException("--document-version must be at least 1, was " + version);
        }
        if (noWait && until == Until.DECIDED) {
            throw new IllegalArgumentException(
                    "--no-wait does not wait for a decision; use --no-wait or --until decided, not both");
        }
        if (requestId != null) {
            requireId("--request-id", requestId);
        }
        after.forEach(id -> requireId("--after", id));
        for (String path : List.of(source, destination)) {
            if (path.indexOf(UNDECODABLE) >= 0) {
                throw new IllegalArgumentException(
                        "the path " + path + " contains characters that could not be decoded; use a UTF-8 locale");
            }
        }
    }

    private static void requireId(String option, String id) {
        RequestIds.problem(id).ifPresent(problem -> {
            throw new IllegalArgumentException(option + ": " + problem);
        });
    }

    private int end(SentRequest sent) throws InterruptedException, UnknownEndException {
        SentRequest.Ended ended;
        try (ProgressLine progress = new ProgressLine(err(), errIsTerminal, time, 0)) {
            ProgressListener listener = new ProgressListener() {
                @Override
                public void progressed(RenameProgress reported) {
                    if (errIsTerminal) {
                        progress.show(reported.moved(), reported.expected(), " documents moved");
                    }
                }
            };
            ended = sent.end(time, listener);
        }
        return sent.print(ended);
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
