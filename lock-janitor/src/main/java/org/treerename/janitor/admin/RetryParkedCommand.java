package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Ending;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.overview.OverviewJson;
import org.treerename.rename.Stores;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code rename-admin retry-parked}: retries one parked rename, as a process with its own heartbeat. */
@Command(
        name = "retry-parked",
        mixinStandardHelpOptions = true,
        description = {
            "Tries again to finish a parked rename. First correct the problem that prevented the move of the"
                    + " documents.",
            "The janitors also retry parked renames regularly. If this command ends early, a janitor takes over the"
                    + " rename."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the rename is closed",
            "1:the rename was not parked, is parked again, or has another owner",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class RetryParkedCommand implements Callable<Integer> {

    private final Time time;

    @Parameters(
            index = "0",
            paramLabel = "REQUEST_ID",
            description = "The request id, as rename-admin audit prints" + " it.")
    private String requestId = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private OwnProcess.Options process = new OwnProcess.Options();

    @Mixin
    private Output output = new Output();

    /** The result of the retry. It remains LOST if this process is fenced before the retry ends. */
    private Result result = Result.LOST;

    RetryParkedCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        try (OwnProcess own = process.connect(elasticsearch.settings(installation.installation()), time)) {
            Stores stores = own.stores();
            Journal journal = stores.journal();
            if (!isParked(journal)) {
                print(Result.LEFT_ALONE, journal.read(requestId));
                return ExitCodes.NOT_WELL;
            }
            RollForward rollForward = own.rollForward(stores);
            own.live(() ->
                    result = own.spans().takingOver(own.context().processId(), () -> rollForward.ofParked(requestId)));
            print(result, journal.read(requestId));
            return result == Result.CLOSED ? ExitCodes.WELL : ExitCodes.NOT_WELL;
        }
    }

    private boolean isParked(Journal journal) {
        return journal.read(requestId)
                .filter(found -> found.value().state() == State.PARKED)
                .isPresent();
    }

    private void print(Result result, Optional<Versioned<JournalEntry>> found) {
        ObjectNode json = found.map(entry -> OverviewJson.of(entry.value()))
                .orElseGet(() -> JsonNodeFactory.instance.objectNode().put("request_id", requestId));
        output.object(
                json.put("result", result.name().toLowerCase(Locale.ROOT)), () -> List.of(inWords(result, found)));
    }

    private String inWords(Result result, Optional<Versioned<JournalEntry>> found) {
        if (found.isEmpty()) {
            return "request " + requestId + " has no journal entry";
        }
        JournalEntry entry = found.get().value();
        String now = "request " + requestId + " is " + entry.state();
        return switch (result) {
            case CLOSED -> now + ": " + entry.ended().map(Ending::outcome).orElse("the journal has no outcome");
            case PARKED -> now + " again: " + entry.parking();
            case LOST -> now + " and owned by " + entry.ownership().processId();
            case LEFT_ALONE, RELEASED -> now + ", so there is nothing to retry";
        };
    }
}
