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
            "Cancels a rename that is not decided, for example because it waits for locks. Its documents do not move,"
                    + " and its outcome is cancelled.",
            "A decided rename cannot be cancelled. With --undo, the command waits for its end and then undoes it."
                    + " Only this case needs Kafka."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the rename is cancelled (with --undo: cancelled or undone; with --undo --no-wait: cancelled, or Kafka"
                    + " has acknowledged the reverse rename)",
            "1:the rename is already decided (with --undo: it cannot be undone, or the reverse rename was rejected or"
                    + " failed)",
            "2:wrong use",
            "3:Elasticsearch or Kafka does not answer, or no outcome arrived in time; the rename may still be"
                    + " cancelled or undone",
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
                    "If the rename is already decided, wait until it ends. Then undo it, as the command rename undo"
                            + " does.")
    private boolean undo;

    @Option(
            names = "--requested-by",
            defaultValue = "${sys:user.name}",
            paramLabel = "TEXT",
            description = "The name of the person who cancels the rename (default: ${DEFAULT-VALUE}). The outcome"
                    + " contains this name.")
    private String requestedBy = "";

    CancelCommand(Connectors connectors, Time time) {
        super(connectors.requests());
        this.undoing = new Undoing(connectors.kafka(), installation(), time);
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
