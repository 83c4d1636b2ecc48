package org.treerename.worker;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.process.Lease;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Carrier;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Settings;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.worker.WorkerSettings.Group;
import org.treerename.worker.WorkerSettings.Protocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads the settings and wires one worker. */
@Command(
        name = "rename-worker",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Takes rename requests from Kafka, renames directories in Elasticsearch, and publishes the outcomes.",
            "Each option can be set in the environment, too: --lock-wait is TREE_RENAME_LOCK_WAIT;"
                    + " KAFKA_BOOTSTRAP_SERVERS and ELASTICSEARCH_URL have no prefix. A properties file is named by"
                    + " TREE_RENAME_SETTINGS."
        })
public final class Main implements Callable<Integer> {

    private static final String SERVICE = "worker";
    private static final int BULK_BYTES = 8 * 1024 * 1024;

    @Option(
            names = "--kafka-bootstrap-servers",
            required = true,
            paramLabel = "HOST:PORT,…",
            description = "Where Kafka is.")
    private String kafkaBootstrapServers = "";

    @Option(
            names = "--elasticsearch-url",
            required = true,
            paramLabel = "URL,…",
            description = "Where Elasticsearch is; several nodes with commas between them.")
    private String elasticsearchUrl = "";

    @Option(
            names = "--request-timeout",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long one request to Elasticsearch may take.")
    private Duration requestTimeout = Duration.ZERO;

    @Option(
            names = "--group-id",
            defaultValue = "rename-workers",
            description = "The consumer group, the same for all workers.")
    private String groupId = "";

    @Option(
            names = "--group-protocol",
            defaultValue = "consumer",
            description = "Kafka's group protocol: ${COMPLETION-CANDIDATES}, in any case.")
    private Protocol groupProtocol = Protocol.CONSUMER;

    @Option(
            names = "--lease",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long this process may be silent before others may take it for dead.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--lock-wait",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "How long a rename waits for locks that others hold before it fails.")
    private Duration lockWait = Duration.ZERO;

    @Option(
            names = "--page-size",
            defaultValue = "1000",
            description = "How many documents are read and written at once, 1 to 10000.")
    private int pageSize;

    @Option(
            names = "--max-passes",
            defaultValue = "10",
            description = "After how many passes over a tree that others keep filling the move ends.")
    private int maxPasses;

    @Option(
            names = "--shutdown-grace",
            defaultValue = "25s",
            converter = DurationConverter.class,
            description = "How long a stopping worker may go on with what it has begun.")
    private Duration shutdownGrace = Duration.ZERO;

    public static void main(String[] args) {
        CommandLine command = command();
        try {
            command.setDefaultValueProvider(Settings.of(System.getenv(), command));
        } catch (IllegalArgumentException e) {
            command.getErr().println("rename-worker: " + e.getMessage());
            System.exit(CommandLine.ExitCode.USAGE);
        }
        int exit = command.execute(args);
        System.exit(exit);
    }

    static CommandLine command() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, result) -> told(failure, command.getErr()));
    }

    /** A setting that cannot be is the caller's mistake; everything else is a failure. */
    private static int told(Exception failure, PrintWriter err) {
        if (failure instanceof IllegalArgumentException) {
            err.println("rename-worker: " + failure.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        failure.printStackTrace(err);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private WorkerSettings settings() {
        return new WorkerSettings(
                kafkaBootstrapServers,
                elasticsearchUrl,
                requestTimeout,
                new Group(groupId, groupProtocol),
                new Lease(lease),
                lockWait,
                pageSize,
                maxPasses,
                shutdownGrace);
    }

    @Override
    public Integer call() {
        WorkerSettings settings = settings();
        Time time = new SystemTime();
        StopSignal stop = new StopSignal();
        Backoff.Factory backoffs = Backoff.Factory.jittered(time);
        ElasticTreeStore.Limits limits = new ElasticTreeStore.Limits(settings.pageSize(), BULK_BYTES);
        ProcessId processId = ProcessId.create(SERVICE);
        Carrier carrier =
                new Carrier(processId.text(), time, backoffs, settings.lockWait(), settings.maxPasses(), stop);
        // the heartbeat has a client of its own, so that nothing it shares can hold it up
        try (Elastic elastic =
                        Elastic.connect(Elastic.Settings.of(settings.elasticsearchUrl(), settings.requestTimeout()));
                Elastic heartbeats = Elastic.connect(Elastic.Settings.of(
                        settings.elasticsearchUrl(), settings.lease().heartbeatTimeout()));
                KafkaSender sender = KafkaSender.connect(settings.kafkaBootstrapServers())) {
            ControlIndex control = new ControlIndex(elastic);
            Stores stores = new Stores(
                    new ElasticNamespaces(elastic, control),
                    new ElasticJournal(control),
                    new ElasticLockStore(control),
                    new ElasticTreeStore(elastic, limits),
                    new KafkaOutcomes(sender, time));
            carrier.persist("the control index", control::create);
            ProcessStore processes = new ElasticProcessStore(new ControlIndex(heartbeats));
            ProcessDocument document = ProcessDocument.live(
                    processId,
                    SERVICE,
                    hostName(),
                    settings.lease().length(),
                    time.now().truncatedTo(ChronoUnit.MILLIS),
                    carrier.persist("the control index's uuid", processes::controlIndexUuid));
            RequestLoop requests = new RequestLoop(
                    new KafkaConsumer<>(RequestLoop.configuration(settings)),
                    new Renamer(stores, new JsonOutcomeCodec(), carrier),
                    new DeadLetters(sender),
                    carrier);
            return new Worker(requests, processes, document, carrier, settings).run();
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
