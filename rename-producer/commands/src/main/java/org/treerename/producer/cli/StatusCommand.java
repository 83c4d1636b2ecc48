package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.treerename.elastic.Elastic;
import org.treerename.runtime.Time;
import picocli.CommandLine.Command;

/** The command {@code rename status}: prints the state of one request. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description =
                "Prints the state of a request, the number of moved documents, and the outcome. The command also prints"
                        + " the process that owns the request, whether this process is live, and the reason why the"
                        + " request waits.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the request was found",
            "2:wrong use",
            "3:no answer from Elasticsearch or the gateway, or a refused request",
            "5:the journal does not know the request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename status nightly-2026-08-01 --elasticsearch-url http://localhost:9200",
            "  rename status nightly-2026-08-01 --server https://renames.example.com --token-file token -o json"
        })
final class StatusCommand extends RequestCommand {

    private final Time time;

    StatusCommand(Function<Elastic.Settings, JournalRequests> journal, Time time) {
        super(journal);
        this.time = time;
    }

    @Override
    int run(Requests requests, String id) {
        Optional<ObjectNode> request = requests.read(id);
        if (request.isEmpty()) {
            return reportUnknown();
        }
        Instant now = time.now();
        output().object(RequestReport.json(request.get(), now), () -> RequestReport.lines(request.get(), now));
        return ExitCodes.DONE;
    }
}
