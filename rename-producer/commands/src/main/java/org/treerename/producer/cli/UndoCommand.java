package org.treerename.producer.cli;

import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code rename undo}: sends the reverse rename of a decided rename. */
@Command(
        name = "undo",
        mixinStandardHelpOptions = true,
        description = {
            "Undoes a rename. The command sends a reverse rename, from the destination of the rename to its source."
                    + " The reverse rename begins after the rename has ended. The request id of the reverse rename"
                    + " is computed from the id of the rename. So a second undo has no effect. But if the first undo"
                    + " ended without an effect, the second undo sends a new request.",
            "The undo also moves documents that were written below the destination after the rename. A rename that has"
                    + " replaced a document cannot be undone."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the rename is undone (with --no-wait: Kafka or the gateway has acknowledged the reverse rename)",
            "1:the rename cannot be undone, or the reverse rename ended without an effect",
            "2:wrong use",
            "3:no answer from Elasticsearch, Kafka or the gateway, a refused request, a parked rename, or no outcome in"
                    + " time; the rename may still be undone",
            "5:the journal does not know the request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename undo nightly-2026-08-01 --elasticsearch-url http://localhost:9200"
                    + " --kafka-bootstrap-servers localhost:9092",
            "  rename undo nightly-2026-08-01 --server https://renames.example.com --token-file token"
        })
final class UndoCommand extends RequestCommand {

    @Mixin
    private Undoing undoing;

    UndoCommand(Connectors connectors, Time time) {
        super(connectors.requests());
        this.undoing = new Undoing(connectors.kafka(), installation(), time);
    }

    @Override
    Optional<GatewayClient> throughGateway() {
        Optional<GatewayClient> gateway = server().client("--elasticsearch-url", "--kafka-bootstrap-servers");
        undoing.requireUsable(gateway.isPresent());
        return gateway;
    }

    @Override
    int run(Requests requests, String id) {
        throw new IllegalStateException("expected a call of runAtGateway or runInJournal, found a call of run");
    }

    @Override
    int runAtGateway(GatewayRequests requests, String id) throws InterruptedException {
        return undoing.undo(requests, id, output()).orElseGet(this::reportUnknown);
    }

    @Override
    int runInJournal(JournalRequests requests, String id) throws InterruptedException {
        Optional<JournalEntry> entry = requests.find(id);
        return entry.isEmpty() ? reportUnknown() : undoing.undo(entry.get(), requests::find, output());
    }
}
