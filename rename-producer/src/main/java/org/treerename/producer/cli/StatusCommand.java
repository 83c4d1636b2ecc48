package org.treerename.producer.cli;

import java.util.Optional;
import java.util.function.Function;
import org.treerename.elastic.Elastic;
import org.treerename.overview.OwnedEntry;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;

/** {@code rename status}: prints the state of one request. */
@Command(
        name = "status",
        description =
                "Prints the state of a request, the number of moved documents, and the outcome. It also prints the"
                        + " process that owns the request, whether this process is live, and what the request waits"
                        + " for.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the journal knows the request",
            "2:wrong use",
            "3:Elasticsearch does not answer",
            "5:the journal does not know the request",
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
        Optional<OwnedEntry> entry = requests.carried(id);
        if (entry.isEmpty()) {
            return tellUnknown();
        }
        if (json()) {
            out().println(RequestReport.json(entry.get(), time.now()));
        } else {
            RequestReport.lines(entry.get(), time.now()).forEach(out()::println);
        }
        return ExitCodes.DONE;
    }
}
