package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.producer.cli.Requests.Cancelling;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rename cancel}: cancels a rename that is not decided. */
@Command(
        name = "cancel",
        mixinStandardHelpOptions = true,
        description = {
            "Cancels a rename that is not decided (committed), for example because it waits for locks. No document moves."
                    + " The outcome has the status cancelled.",
            "A decided rename cannot be cancelled. With --undo, the command waits until the rename has ended, and"
                    + " then undoes the rename. Only this case needs Kafka."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the rename is cancelled (with --undo: cancelled or undone; with --undo --no-wait: cancelled, or Kafka"
                    + " has acknowledged the reverse rename)",
            "1:the rename is already decided (with --undo: it cannot be undone, or the reverse rename ended without an"
                    + " effect)",
            "2:wrong use",
            "3:no answer from Elasticsearch, Kafka or the gateway, a refused request, or no outcome in time; the rename"
                    + " may still be cancelled or undone",
            "5:the journal does not know the request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename cancel nightly-2026-08-01 --elasticsearch-url http://localhost:9200",
            "  rename cancel nightly-2026-08-01 --server https://renames.example.com --token-file token",
            "  rename cancel nightly-2026-08-01 --undo --elasticsearch-url http://localhost:9200"
                    + " --kafka-bootstrap-servers localhost:9092"
        })
final class CancelCommand extends RequestCommand {

    @Mixin
    private Undoing undoing;

    @Option(
            names = "--undo",
            description =
                    "If the rename is already decided, wait until it ends. Then undo it, as the command rename undo"
                            + " does.")
    private boolean undo;

    @Option(
            names = "--requested-by",
            defaultValue = "${sys:tree-rename.user}",
            paramLabel = "TEXT",
            description = "The name of the person who cancels the rename (default: ${DEFAULT-VALUE}). The outcome"
                    + " contains this name.")
    private String requestedBy = "";

    CancelCommand(Connectors connectors, Time time) {
        super(connectors.requests());
        this.undoing = new Undoing(connectors.kafka(), installation(), time);
    }

    @Override
    Optional<GatewayClient> throughGateway() {
        if (undo) {
            Optional<GatewayClient> gateway = server().client("--elasticsearch-url", "--kafka-bootstrap-servers");
            undoing.requireUsable(gateway.isPresent());
            return refuseName(gateway);
        }
        return refuseName(super.throughGateway());
    }

    private Optional<GatewayClient> refuseName(Optional<GatewayClient> gateway) {
        if (gateway.isPresent() && server().isGiven("--requested-by")) {
            throw new IllegalArgumentException("--server and --requested-by exclude each other, because the gateway"
                    + " writes the name of the token's owner into the outcome; give only one of them");
        }
        return gateway;
    }

    @Override
    int run(Requests requests, String id) {
        return switch (requests.cancel(id, requestedBy)) {
            case Cancelling.Cancelled cancelled -> {
                ObjectNode request = cancelled.request();
                report("cancelled", "cancelled: " + RequestReport.words(request), request);
                yield ExitCodes.DONE;
            }
            case Cancelling.AlreadyDecided decided -> reportDecided(decided.request());
            case Cancelling.Unknown unknown -> reportUnknown();
            case Cancelling.NoRename none ->
                throw new IllegalArgumentException(
                        "request " + id + " is the hold of a writer, not a rename; only a rename can be cancelled");
        };
    }

    @Override
    int runAtGateway(GatewayRequests requests, String id) throws InterruptedException {
        return undo && requests.cancel(id, requestedBy) instanceof Cancelling.AlreadyDecided
                ? undoing.undo(requests, id, output()).orElseGet(this::reportUnknown)
                : run(requests, id);
    }

    @Override
    int runInJournal(JournalRequests requests, String id) throws InterruptedException {
        if (!undo || !(requests.cancel(id, requestedBy) instanceof Cancelling.AlreadyDecided)) {
            return run(requests, id);
        }
        Optional<JournalEntry> entry = requests.find(id);
        return entry.isEmpty() ? reportUnknown() : undoing.undo(entry.get(), requests::find, output());
    }

    private int reportDecided(ObjectNode request) {
        report(
                "already_decided",
                "already decided: " + RequestReport.decided(request) + " (" + RequestReport.words(request) + ")",
                request);
        return ExitCodes.NOT_DONE;
    }

    private void report(String answer, String sentence, ObjectNode request) {
        output().object(RequestReport.json(answer, request), () -> List.of(sentence));
    }
}
