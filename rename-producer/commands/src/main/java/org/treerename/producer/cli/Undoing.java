package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.RenameProducer;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;
import org.treerename.runtime.Time;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends the reverse of a rename, and waits for its outcome. The reverse begins after the rename has ended. */
final class Undoing {

    /** The longest time to close the producer. It is short, because the result was already printed. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

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
            description = "The version of the documents after they move back. Only for namespaces whose versions come"
                    + " from another system.")
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
            fallbackValue = "true",
            description = "Wait only until Kafka has acknowledged the reverse rename, and print its request id.")
    private boolean noWait;

    /** @param installation the option of the command for the installation */
    Undoing(Function<ProducerSettings, RenameProducer> connector, InstallationOptions installation, Time time) {
        this.connector = connector;
        this.installation = installation;
        this.time = time;
    }

    /**
     * Checks the options before the command sends a request.
     *
     * @throws IllegalArgumentException if an option is not valid
     */
    void requireUsable() {
        if (version != null && version < 1) {
            throw new IllegalArgumentException("--document-version must be at least 1, was " + version);
        }
        var unused = kafka.settings(installation.installation());
    }

    /**
     * Undoes a rename if that is possible, and prints the result.
     *
     * @param journal returns the entry of an earlier undo by its request id
     * @return the exit code
     */
    int undo(JournalEntry entry, Function<String, Optional<JournalEntry>> journal, Output output)
            throws InterruptedException {
        return switch (UndoRequest.of(entry, journal)) {
            case UndoRequest.NotReversible no -> {
                ObjectNode undone = RequestReport.object(entry);
                output.object(
                        RequestReport.notReversible(undone, no),
                        () -> List.of("not reversible: " + no.why().published() + ": " + no.message() + " ("
                                + RequestReport.words(undone) + ")"));
                yield ExitCodes.NOT_DONE;
            }
            case UndoRequest.Possible possible -> {
                RenameRequest reverse = possible.request();
                yield send(version == null ? reverse : reverse.withVersion(version), entry.requestId(), output);
            }
        };
    }

    private int send(RenameRequest reverse, String undone, Output output) throws InterruptedException {
        RenameProducer producer = connector.apply(kafka.settings(installation.installation()));
        Patience patience = new Patience(reverse.requestId(), "run rename undo '" + undone + "'", timeout, err());
        try {
            if (noWait) {
                patience.await(producer.publish(reverse, List.of(undone)), "acknowledgement from Kafka");
                output.object(
                        JsonNodeFactory.instance.objectNode().put("request_id", reverse.requestId()),
                        () -> List.of(reverse.requestId()));
                return ExitCodes.DONE;
            }
            long startNanos = time.nanos();
            PublishedOutcome published =
                    patience.await(producer.submit(reverse, List.of(undone)).outcome(), "outcome");
            Duration taken = Duration.ofNanos(time.nanos() - startNanos);
            output.published(published.json(), () -> OutcomeLine.of(reverse, published.outcome(), taken));
            return published.outcome().status() == Status.COMPLETED ? ExitCodes.DONE : ExitCodes.NOT_DONE;
        } catch (UnknownEndException e) {
            err().println(OutcomeLine.printable(e.getMessage()));
            return ExitCodes.UNKNOWN;
        } finally {
            producer.close(CLOSE);
        }
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
