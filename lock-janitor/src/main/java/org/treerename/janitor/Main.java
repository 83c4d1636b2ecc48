package org.treerename.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.treerename.crash.CrashOptions;
import org.treerename.crash.CrashPoints;
import org.treerename.crash.Crashing;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.elastic.ElasticWatermarks;
import org.treerename.process.Canary;
import org.treerename.process.DeathWatch;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Incarnation.End;
import org.treerename.process.Lease;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Carrier;
import org.treerename.rename.Expiry;
import org.treerename.rename.PacedTreeStore;
import org.treerename.rename.Retention;
import org.treerename.rename.RollForward;
import org.treerename.rename.Stores;
import org.treerename.rename.Sweep;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Loop;
import org.treerename.runtime.ServiceCommand;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.runtime.WallClockOptions;
import org.treerename.steps.Steps;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.wire.KafkaOutcomes;
import org.treerename.wire.KafkaRequestLog;
import org.treerename.wire.KafkaSender;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the settings and wires one janitor. */
@Command(
        name = "lock-janitor",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Judges which workers and janitors are dead, rolls their renames forward, and reclaims their locks.",
            "Each option can be set in the environment, too: --sweep-every is TREE_RENAME_SWEEP_EVERY;"
                    + " KAFKA_BOOTSTRAP_SERVERS and ELASTICSEARCH_URL have no prefix. A properties file is named by"
                    + " TREE_RENAME_SETTINGS."
        })
public final class Main implements Callable<Integer> {

    private static final String SERVICE = "janitor";
    private static final Duration PROBE = Duration.ofSeconds(1);
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
            names = "--elasticsearch-requests",
            defaultValue = "32",
            description = "How many requests to Elasticsearch may be under way at once, 1 to 1000.")
    private int elasticsearchRequests;

    @Option(
            names = "--documents-per-second",
            defaultValue = "0",
            description = "How many documents may be moved per second, by all renames together; 0 for no limit.")
    private int documentsPerSecond;

    @Option(
            names = "--lease",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long this process may be silent before others may take it for dead.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--sweep-every",
            defaultValue = "1m",
            converter = DurationConverter.class,
            description = "From one look at every lock document to the next.")
    private Duration sweepEvery = Duration.ZERO;

    @Option(
            names = "--parked-every",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description = "From one try of a parked rename to the next.")
    private Duration parkedEvery = Duration.ZERO;

    @Option(
            names = "--journal-retention",
            defaultValue = "8d",
            converter = DurationConverter.class,
            description = "How long the journal knows a rename after its end, and its record in the log; as long as the"
                    + " request topic's retention.ms where that is longer.")
    private Duration journalRetention = Duration.ZERO;

    @Option(
            names = "--process-retention",
            defaultValue = "1d",
            converter = DurationConverter.class,
            description = "How long the document of a process that has ended is kept, since the start of the process.")
    private Duration processRetention = Duration.ZERO;

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
            description = "How long a stopping janitor may go on with what it has begun.")
    private Duration shutdownGrace = Duration.ZERO;

    @Mixin
    private CrashOptions crash = new CrashOptions();

    @Mixin
    private WallClockOptions clock = new WallClockOptions();

    public static void main(String[] args) {
        System.exit(ServiceCommand.run(command(), args));
    }

    static CommandLine command() {
        return ServiceCommand.of(new Main());
    }

    private JanitorSettings settings() {
        return new JanitorSettings(
                kafkaBootstrapServers,
                elasticsearchUrl,
                requestTimeout,
                elasticsearchRequests,
                documentsPerSecond,
                new Lease(lease),
                pageSize,
                maxPasses,
                sweepEvery,
                parkedEvery,
                journalRetention,
                processRetention,
                shutdownGrace);
    }

    /** One incarnation after the other: who is fenced begins again under a new process id. */
    @Override
    public Integer call() {
        JanitorSettings settings = settings();
        CrashPoints points = crash.points(System.getenv());
        Time time = clock.time(System.getenv());
        End end;
        do {
            end = live(settings, points, time);
        } while (end == End.FENCED);
        return CommandLine.ExitCode.OK;
    }

    private static End live(JanitorSettings settings, CrashPoints points, Time time) {
        ProcessId processId = ProcessId.create(SERVICE);
        Carrier carrier = new Carrier(
                processId.text(),
                time,
                Backoff.Factory.jittered(time),
                Duration.ZERO,
                settings.maxPasses(),
                new StopSignal());
        int perSecond = settings.documentsPerSecond();
        ElasticTreeStore.Limits limits =
                new ElasticTreeStore.Limits(PacedTreeStore.page(settings.pageSize(), perSecond), BULK_BYTES);
        // the heartbeat has a client of its own, so that nothing it shares can hold it up
        try (Elastic elastic = Elastic.connect(
                                Elastic.Settings.of(settings.elasticsearchUrl(), settings.requestTimeout())
                                        .withConnections(settings.elasticsearchRequests()))
                        .behindCircuit();
                Loop probing = Loop.start("elasticsearch-probe", time, PROBE, elastic::probe);
                Elastic heartbeats = Elastic.connect(Elastic.Settings.of(
                        settings.elasticsearchUrl(), settings.lease().heartbeatTimeout()));
                KafkaRequestLog requests = KafkaRequestLog.connect(settings.kafkaBootstrapServers());
                KafkaSender sender = KafkaSender.connect(settings.kafkaBootstrapServers())) {
            ControlIndex control = new ControlIndex(elastic);
            Stores stores = Steps.logged(Crashing.ofJanitor(
                    points,
                    new Stores(
                            new ElasticNamespaces(elastic, control),
                            new ElasticJournal(control),
                            new ElasticLockStore(control),
                            PacedTreeStore.of(new ElasticTreeStore(elastic, limits), carrier, perSecond),
                            new KafkaOutcomes(sender, "/lock-janitor", time))));
            carrier.persist("the control index", control::create);
            ProcessStore processes = Crashing.ofJanitor(points, new ElasticProcessStore(control));
            ProcessStore own = new ElasticProcessStore(new ControlIndex(heartbeats));
            Instant startedAt = time.now();
            Heartbeat heartbeat = carrier.persist(
                    "the process document",
                    () -> Heartbeat.beginHere(own, processId, SERVICE, settings.lease(), startedAt));
            Canary canary = new Canary();
            Janitor janitor = new Janitor(
                    new Janitor.Tools(
                            new DeathWatch(processes, time, canary, settings.lease()),
                            stores.journal(),
                            new RollForward(stores, processes, new JsonOutcomeCodec(), carrier),
                            new Sweep(stores, carrier),
                            new Retention(stores.journal(), processes, time, settings.processRetention()),
                            new Expiry(
                                    stores.journal(),
                                    new ElasticWatermarks(control),
                                    requests,
                                    carrier,
                                    settings.journalRetention())),
                    carrier,
                    settings);
            return new Incarnation(heartbeat, settings.lease(), time, carrier.stop(), canary::acknowledged)
                    .live(janitor::run, settings.shutdownGrace());
        }
    }
}
