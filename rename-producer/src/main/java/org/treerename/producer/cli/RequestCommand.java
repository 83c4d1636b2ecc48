package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.InstallationOptions;
import org.treerename.rename.RequestIds;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command about one request that was sent before. It reads the journal. */
abstract class RequestCommand implements Callable<Integer> {

    private final Function<Elastic.Settings, Requests> journal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "REQUEST_ID", description = "The id of the request, as it was sent.")
    private String requestId = "";

    @Mixin
    private final InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(names = "--json", fallbackValue = "true", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    RequestCommand(Function<Elastic.Settings, Requests> journal) {
        this.journal = journal;
    }

    @Override
    public Integer call() throws InterruptedException {
        RequestIds.problem(requestId).ifPresent(problem -> {
            throw new IllegalArgumentException("REQUEST_ID: " + problem);
        });
        try (Requests requests = journal.apply(elasticsearch.settings(installation.installation()))) {
            return run(requests, requestId);
        } catch (NoAnswerException | RefusedException e) {
            err().println(OutcomeLine.printable(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
    }

    /** Returns the option for the installation. Its value is set when the command runs. */
    InstallationOptions installation() {
        return installation;
    }

    /** Runs the command. Returns the exit code. */
    abstract int run(Requests requests, String id) throws InterruptedException;

    /** Reports that the journal has no entry of the request. Returns the exit code. */
    int tellUnknown() {
        if (json) {
            out().println(RequestReport.unknown(requestId));
        } else {
            err().println("the journal does not know request " + OutcomeLine.printable(requestId)
                    + ": no worker has begun it yet, its entry was deleted after its end, or it was never sent");
        }
        return ExitCodes.NO_SUCH_REQUEST;
    }

    boolean json() {
        return json;
    }

    PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
