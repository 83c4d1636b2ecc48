package org.treerename.instrumented;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.treerename.cli.DurationConverter;
import org.treerename.crash.CrashOptions;
import org.treerename.crash.CrashPoints;
import org.treerename.crash.Crashing;
import org.treerename.elastic.Elastic;
import org.treerename.producer.direct.DirectRenames;
import org.treerename.producer.direct.DirectSettings;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.steps.Steps;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one direct rename with crash points, and logs its steps. Uses no Kafka. Prints the outcome as JSON. */
@Command(name = "instrumented-direct")
public final class InstrumentedDirect implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "SOURCE")
    private String source = "";

    @Parameters(index = "1", paramLabel = "DESTINATION")
    private String destination = "";

    @Option(names = "--elasticsearch-url", required = true)
    private String elasticsearchUrl = "";

    @Option(names = "--namespace", required = true)
    private String namespace = "";

    @Option(names = "--request-id", required = true)
    private String requestId = "";

    @Option(names = "--replace")
    private boolean replace;

    @Option(names = "--page-size", defaultValue = "100")
    private int pageSize;

    @Option(names = "--lease", defaultValue = "2s", converter = DurationConverter.class)
    private Duration lease = Duration.ZERO;

    @Mixin
    private CrashOptions crash = new CrashOptions();

    private InstrumentedDirect() {}

    public static void main(String[] args) {
        System.exit(command().execute(args));
    }

    static CommandLine command() {
        return new CommandLine(new InstrumentedDirect());
    }

    @Override
    public Integer call() throws InterruptedException {
        CrashPoints points = crash.points();
        DirectSettings settings = DirectSettings.of(Elastic.Settings.of(elasticsearchUrl, Duration.ofSeconds(30)))
                .withLease(lease)
                .withPageSize(pageSize);
        RenameRequest request = new RenameRequest(
                requestId, namespace, source, destination, replace ? OnExisting.REPLACE : OnExisting.FAIL, null);
        try (DirectRenames renames =
                DirectRenames.connect(settings, stores -> Steps.logged(Crashing.ofWorker(points, stores)))) {
            System.out.println(renames.rename(request).json());
        }
        return 0;
    }
}
