package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.cli.Terminal;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.janitor.recovery.Fence;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Printable;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin fence}: fences one process immediately. */
@Command(
        name = "fence",
        mixinStandardHelpOptions = true,
        description = {
            "Fences a worker, a janitor or a writer immediately, for example if it hangs but still sends heartbeats."
                    + " Janitors take over the renames of the fenced process. A fenced process that still runs writes"
                    + " nothing more, and begins again under a new process id."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the process is fenced",
            "1:the process is not fenced, has stopped, or does not exist",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class FenceCommand implements Callable<Integer> {

    private static final String WORD = "fence";
    private static final int MOST_SHOWN = 20;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "PROCESS_ID",
            description = "The process id, as rename-admin processes prints it.")
    private String processId = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private Output output = new Output();

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean yes;

    FenceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ProcessId id = new ProcessId(processId);
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            ProcessStore processes = new ElasticProcessStore(control);
            Optional<ProcessDocument> found = processes.read(id).map(Versioned::value);
            if (found.isPresent() && found.get().state() == ProcessState.LIVE) {
                showEntries(found.get(), new ElasticJournalSearch(control));
                if (!yes && !isConfirmed()) {
                    output.object(json("not_confirmed"), () -> List.of("nothing is fenced"));
                    return ExitCodes.NOT_WELL;
                }
            }
            return report(new Fence(processes).fence(id), processes);
        }
    }

    /** The entries help the operator to decide. They are not part of the result of the command. */
    private void showEntries(ProcessDocument process, JournalSearch journal) {
        PrintWriter err = spec.commandLine().getErr();
        Filter filter = Filter.ALL.in(State.needingOwner()).ownedBy(processId);
        long owned = journal.countByOwner(State.needingOwner()).getOrDefault(processId, 0L);
        err.println(Printable.of(processId) + " on " + Printable.of(process.host()) + ", started at "
                + process.startedAt() + ", owns " + owned + (owned == 1 ? " journal entry" : " journal entries"));
        List<JournalEntry> entries =
                journal.find(filter, Order.OLDEST_FIRST, null, MOST_SHOWN).entries();
        entries.forEach(entry -> err.println("  " + Printable.of(EntryWords.of(entry))));
        if (owned > entries.size()) {
            err.println("  and " + (owned - entries.size()) + " more");
        }
    }

    private boolean isConfirmed() {
        String typed = terminal.ask("type " + WORD + " to fence this process: ")
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected a terminal for the confirmation, found none; use --yes"));
        return typed.strip().equals(WORD);
    }

    private int report(Fence.Result result, ProcessStore processes) {
        output.object(json(result.name().toLowerCase(Locale.ROOT)), () -> lines(result, processes));
        return switch (result) {
            case FENCED, FENCED_BEFORE -> ExitCodes.WELL;
            case STOPPED_BEFORE, UNKNOWN, NOT_FENCED -> ExitCodes.NOT_WELL;
        };
    }

    private ObjectNode json(String result) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("process_id", processId)
                .put("result", result);
    }

    private List<String> lines(Fence.Result result, ProcessStore processes) {
        return switch (result) {
            case FENCED -> {
                String fenced = processId + " is fenced; a janitor takes over its renames at the next tick";
                boolean hasJanitor = processes.in(ProcessState.LIVE).stream()
                        .anyMatch(process -> process.service().equals("janitor"));
                yield hasJanitor
                        ? List.of(fenced)
                        : List.of(fenced, "no janitor is live; start a janitor, which takes over the renames");
            }
            case FENCED_BEFORE -> List.of(processId + " is fenced already");
            case STOPPED_BEFORE -> List.of(processId + " has stopped; there is nothing to fence");
            case UNKNOWN -> List.of("there is no process " + processId);
            case NOT_FENCED ->
                List.of(processId + " is not fenced, because its process document changed during each try; try again");
        };
    }
}
