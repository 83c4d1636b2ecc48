package org.treerename.producer.cli;

import org.treerename.rename.Cancellation.Answer;
import org.treerename.rename.JournalEntry;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rename cancel}: calls off what is not decided. */
@Command(
        name = "cancel",
        description = {
            "Cancels a rename that is not decided, say because it waits for locks: nothing of it moves, and its outcome is"
                    + " cancelled.",
            "What is decided is finished; with --undo it is undone then. Needs Kafka only for that."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:cancelled (with --undo also: undone or, with --no-wait, that is acknowledged by Kafka)",
            "1:already decided (with --undo: not reversible, or the reverse rename was rejected or failed)",
            "2:wrong use",
            "3:Elasticsearch or Kafka does not answer, or no outcome in time; it may be cancelled or undone all the same",
            "5:the journal knows no such request",
            "70:a defect of this program"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename cancel nightly-2026-08-01 --elasticsearch-url http://localhost:9200",
            "  rename cancel nightly-2026-08-01 --undo --elasticsearch-url http://localhost:9200"
                    + " --kafka-bootstrap-servers localhost:9092"
        })
final class CancelCommand extends RequestCommand {

    @Mixin
    private Undoing undoing;

    @Option(
            names = "--undo",
            fallbackValue = "true",
            description =
                    "If the rename is decided already, wait until it ends, and then undo it, as rename undo does.")
    private boolean undo;

    @Option(
            names = "--requested-by",
            defaultValue = "${sys:user.name}",
            paramLabel = "TEXT",
            description = "The name of the person who cancels; the outcome contains it (default: ${DEFAULT-VALUE}).")
    private String requestedBy = "";

    CancelCommand(Connectors connectors, Time time) {
        super(connectors.requests());
        this.undoing = new Undoing(connectors.kafka(), time);
    }

    @Override
    int run(Requests requests, String id) throws InterruptedException {
        if (undo) {
            undoing.requireUsable();
        }
        return switch (requests.cancel(id, requestedBy)) {
            case Answer.Cancelled cancelled -> {
                tell("cancelled", "cancelled: " + RequestReport.words(cancelled.entry()), cancelled.entry());
                yield ExitCodes.DONE;
            }
            case Answer.AlreadyDecided decided ->
                undo ? undoing.undo(decided.entry(), requests::look, json()) : tellDecided(decided.entry());
            case Answer.NoEntry none -> tellUnknown();
            case Answer.NoRename none ->
                throw new IllegalArgumentException("the request " + id + " is the hold of a writer, and no rename");
        };
    }

    private int tellDecided(JournalEntry entry) {
        tell(
                "already_decided",
                "already decided: " + RequestReport.decided(entry) + " (" + RequestReport.words(entry) + ")",
                entry);
        return ExitCodes.NOT_DONE;
    }

    private void tell(String answer, String sentence, JournalEntry entry) {
        out().println(json() ? RequestReport.json(answer, entry) : sentence);
    }
}
