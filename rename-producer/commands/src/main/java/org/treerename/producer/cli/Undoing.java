package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.journal.JournalEntry;
import org.treerename.overview.OverviewJson;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.cli.gateway.GatewayAnswer;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Undoes a rename: sends the reverse rename, and waits for its outcome. The reverse rename begins after the first
 * rename has ended.
 */
final class Undoing {

    private final Function<ProducerSettings, RenameProducer> connector;
    private final InstallationOptions installation;
    private final Time time;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Mixin
    private ProducerOptions kafka = new ProducerOptions();

    @Option(
            names = "--document-version",
            paramLabel = "N",
            description = "The version of the documents after they move back. This option is required if another system"
                    + " assigns the versions and the namespace has no version_field. Otherwise it is not allowed.")
    private @Nullable Long version;

    @Option(
            names = "--timeout",
            defaultValue = "60s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The longest time to wait until the rename is undone, such as 500ms, 30s or 5m (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--no-wait",
            description =
                    "Wait only until Kafka or the gateway has acknowledged the reverse rename, and print its request id.")
    private boolean noWait;

    /** @param installation the option that sets the installation */
    Undoing(Function<ProducerSettings, RenameProducer> connector, InstallationOptions installation, Time time) {
        this.connector = connector;
        this.installation = installation;
        this.time = time;
    }

    /**
     * Checks the options before the command sends a request.
     *
     * @param isThroughGateway whether the command uses a gateway, and so needs no access to Kafka
     * @throws IllegalArgumentException if an option is not valid
     */
    void requireUsable(boolean isThroughGateway) {
        if (version != null && version < 1) {
            throw new IllegalArgumentException("--document-version must be at least 1, was " + version);
        }
        if (!isThroughGateway) {
            var unused = kafka.settings(installation.installation());
        }
    }

    /**
     * Undoes a rename if that is possible, and prints the result.
     *
     * @param journal returns the journal entry for the request id of an undo; empty if there is no entry
     * @return the exit code
     */
    int undo(JournalEntry entry, Function<String, Optional<JournalEntry>> journal, Output output)
            throws InterruptedException {
        return switch (UndoRequest.of(entry, journal)) {
            case UndoRequest.NotReversible no -> {
                ObjectNode undone = OverviewJson.of(entry);
                output.object(
                        RequestReport.notReversible(undone, no.why().published(), no.message()),
                        () -> List.of("not reversible: " + no.why().published() + ": " + no.message() + " ("
                                + RequestReport.words(undone) + ")"));
                yield ExitCodes.NOT_DONE;
            }
            case UndoRequest.Possible possible -> {
                RenameRequest reverse = possible.request();
                journal.apply(reverse.requestId())
                        .filter(earlier -> earlier.state().isFinal())
                        .ifPresent(earlier ->
                                err().println("the rename was already undone by request " + reverse.requestId()));
                yield send(version == null ? reverse : reverse.withVersion(version), entry.requestId(), output);
            }
        };
    }

    /**
     * Undoes a rename through a gateway if that is possible, and prints the result.
     *
     * @return the exit code; empty if the journal does not know the rename
     */
    Optional<Integer> undo(GatewayRequests requests, String id, Output output) throws InterruptedException {
        Optional<ObjectNode> undone = requests.read(id);
        GatewayAnswer answer = requests.undo(id, version);
        if (undone.isEmpty() || answer.is("unknown_request")) {
            return Optional.empty();
        }
        if (answer.is("not_reversible")) {
            String[] why = answer.json().path("detail").asText().split(": ", 2);
            output.object(
                    RequestReport.notReversible(undone.get(), why[0], why[why.length - 1]),
                    () -> List.of("not reversible: " + OutcomeLine.printable(String.join(": ", why)) + " ("
                            + RequestReport.words(undone.get()) + ")"));
            return Optional.of(ExitCodes.NOT_DONE);
        }
        RenameRequest reverse = new RenameRequest(
                answer.ok().path("request_id").asText(),
                undone.get().path("namespace").asText(),
                undone.get().path("destination").asText(),
                undone.get().path("source").asText(),
                OnExisting.FAIL,
                "undo of " + id);
        // the sender and the requests share one client of the gateway, and each of them closes this client
        GatewayRequestSender sender = new GatewayRequestSender(requests.gateway(), time, false);
        SentRequest sent = new SentRequest(sender, reverse, List.of(), patience(reverse, id), output);
        try {
            return Optional.of(noWait ? sent.printId() : sent.print(sent.endOf(time, sender)));
        } catch (UnknownEndException e) {
            err().println(OutcomeLine.printable(e.getMessage()));
            return Optional.of(ExitCodes.UNKNOWN);
        } finally {
            sender.close();
        }
    }

    private Patience patience(RenameRequest reverse, String undone) {
        return new Patience(reverse.requestId(), "run rename undo '" + undone + "'", timeout, err());
    }

    private int send(RenameRequest reverse, String undone, Output output) throws InterruptedException {
        try (RequestSender sender =
                new KafkaRequestSender(connector.apply(kafka.settings(installation.installation())))) {
            SentRequest sent = new SentRequest(sender, reverse, List.of(undone), patience(reverse, undone), output);
            return noWait ? sent.acknowledge() : sent.print(sent.end(time, new ProgressListener() {}));
        } catch (UnknownEndException e) {
            err().println(OutcomeLine.printable(e.getMessage()));
            return ExitCodes.UNKNOWN;
        }
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
