package org.treerename.producer.cli;

import java.util.Optional;
import org.treerename.rename.JournalEntry;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rename undo}: the reverse of a rename that was decided. */
@Command(
        name = "undo",
        description = {
            "Undoes a rename by another one, from its destination to its source, which comes after it and has a request id"
                    + " that follows from its own: undone twice, it is undone once.",
            "What others have put below the destination meanwhile goes with it. A rename that has replaced a document"
                    + " cannot be undone."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:undone (with --no-wait: acknowledged by Kafka)",
            "1:not reversible, or the reverse rename was rejected or failed",
            "2:wrong use",
            "3:Elasticsearch or Kafka does not answer, or no outcome in time; it may still be undone",
            "5:the journal knows no such request",
            "70:a defect of this program"
        },
        footerHeading = "%nExample:%n",
        footer = "  rename undo nightly-2026-08-01 --elasticsearch-url http://localhost:9200"
                + " --kafka-bootstrap-servers localhost:9092")
final class UndoCommand extends RequestCommand {

    @Mixin
    private Undoing undoing;

    UndoCommand(Connectors connectors, Time time) {
        super(connectors.requests());
        this.undoing = new Undoing(connectors.kafka(), time);
    }

    @Override
    int run(Requests requests, String id) throws InterruptedException {
        undoing.requireUsable();
        Optional<JournalEntry> entry = requests.look(id);
        return entry.isEmpty() ? tellUnknown() : undoing.undo(entry.get(), requests::look, json());
    }
}
