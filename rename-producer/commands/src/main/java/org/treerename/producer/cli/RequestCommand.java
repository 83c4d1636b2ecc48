package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Output;
import org.treerename.elastic.Elastic;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.request.RequestIds;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The base class of the commands for one request that was already sent. A command reads the journal directly or
 * through a gateway.
 */
abstract class RequestCommand implements Callable<Integer> {

    private static final String ELASTICSEARCH = "--elasticsearch-url";

    private final Function<Elastic.Settings, JournalRequests> journal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "REQUEST_ID", description = "The id of the sent request.")
    private String requestId = "";

    @Mixin
    private final InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private Output output = new Output();

    RequestCommand(Function<Elastic.Settings, JournalRequests> journal) {
        this.journal = journal;
    }

    @Override
    public Integer call() throws InterruptedException {
        RequestIds.problem(requestId).ifPresent(problem -> {
            throw new IllegalArgumentException("REQUEST_ID: " + problem);
        });
        try {
            Optional<GatewayClient> gateway = throughGateway();
            if (gateway.isPresent()) {
                try (GatewayRequests requests = new GatewayRequests(gateway.get())) {
                    return runAtGateway(requests, requestId);
                }
            }
            try (JournalRequests requests = journal.apply(elasticsearch.settings(installation.installation()))) {
                return runInJournal(requests, requestId);
            }
        } catch (NoAnswerException | RefusedException e) {
            err().println(OutcomeLine.printable(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
    }

    /** Returns the option for the installation. The option has its value only after the command line was parsed. */
    InstallationOptions installation() {
        return installation;
    }

    /** Returns the gateway to use; empty if the command reads the journal itself. */
    Optional<GatewayClient> throughGateway() {
        return server.client(ELASTICSEARCH);
    }

    /** Runs the command. Returns the exit code. */
    abstract int run(Requests requests, String id) throws InterruptedException;

    /** Runs the command through a gateway. Returns the exit code. */
    int runAtGateway(GatewayRequests requests, String id) throws InterruptedException {
        return run(requests, id);
    }

    /** Runs the command without a gateway. Returns the exit code. */
    int runInJournal(JournalRequests requests, String id) throws InterruptedException {
        return run(requests, id);
    }

    /** Reports that the journal has no entry for the request. Returns the exit code. */
    int reportUnknown() {
        if (output.isForPeople()) {
            err().println("the journal does not know request " + OutcomeLine.printable(requestId)
                    + ": either no worker has begun the request yet, or the request was never sent, or its entry was"
                    + " deleted after its retention");
        } else {
            output.object(RequestReport.unknown(requestId), List::of);
        }
        return ExitCodes.NO_SUCH_REQUEST;
    }

    Output output() {
        return output;
    }

    ServerOptions server() {
        return server;
    }

    PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
