package org.treerename.producer.cli;

import java.util.Optional;
import java.util.function.Function;
import org.treerename.elastic.Elastic;
import org.treerename.overview.OwnedEntry;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;

/** {@code rename status}: how far one request is. */
@Command(
        name = "status",
        description =
                "Tells how far a request is: its state, how many documents it has moved, which process carries it and"
                        + " whether that is live, what it waits for, and its outcome.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the journal knows it",
            "2:wrong use",
            "3:Elasticsearch does not answer",
            "5:the journal knows no such request",
            "70:a defect of this program"
        },
        footerHeading = "%nExample:%n",
        footer = "  rename status nightly-2026-08-01 --elasticsearch-url http://localhost:9200")
final class StatusCommand extends RequestCommand {

    private final Time time;

    StatusCommand(Function<Elastic.Settings, Requests> journal, Time time) {
        super(journal);
        this.time = time;
    }

    @Override
    int run(Requests requests, String id) {
        Optional<OwnedEntry> carried = requests.carried(id);
        if (carried.isEmpty()) {
            return tellUnknown();
        }
        if (json()) {
            out().println(RequestReport.json(carried.get(), time.now()));
        } else {
            RequestReport.lines(carried.get(), time.now()).forEach(out()::println);
        }
        return ExitCodes.DONE;
    }
}
