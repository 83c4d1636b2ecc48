package org.treerename.producer.cli;

import org.treerename.rename.Cancellation.Answer;
import org.treerename.rename.JournalEntry;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rename cancel}: cancels a rename that is not decided. */
@Command(
        name = "cancel",
        description = {
            "Cancels a rename that is not decided, for example because it waits for locks. No document moves, and its outcome"
                    + " is cancelled.",
            "A decided rename is finished. With --undo it is undone afterwards; only this needs Kafka."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:cancelled (with --undo also: undone; with --undo --no-wait also: the undo is acknowledged by Kafka)",
            "1:already decided (with --undo: not reversible, or the reverse rename was rejected or failed)",
            "2:wrong use",
            "3:Elasticsearch or Kafka does not answer, or no outcome in time; the rename may be cancelled or undone nevertheless",
            "5:the journal does not know the request",
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
                report("cancelled", "cancelled: " + RequestReport.words(cancelled.entry()), cancelled.entry());
                yield ExitCodes.DONE;
            }
            case Answer.AlreadyDecided decided ->
                undo ? undoing.undo(decided.entry(), requests::find, json()) : reportDecided(decided.entry());
            case Answer.NoEntry none -> tellUnknown();
            case Answer.NoRename none ->
                throw new IllegalArgumentException("request " + id + " is the hold of a writer, not a rename");
        };
    }

    private int reportDecided(JournalEntry entry) {
        report(
                "already_decided",
                "already decided: " + RequestReport.decided(entry) + " (" + RequestReport.words(entry) + ")",
                entry);
        return ExitCodes.NOT_DONE;
    }

    private void report(String answer, String sentence, JournalEntry entry) {
        out().println(json() ? RequestReport.json(answer, entry) : sentence);
    }
}
