package org.treerename.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.crash.CrashOptions;
import org.treerename.crash.CrashPoint;
import org.treerename.crash.CrashPoints;
import org.treerename.crash.Crashing;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Incarnation.End;
import org.treerename.process.Lease;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Carrier;
import org.treerename.rename.Delivery;
import org.treerename.rename.PacedTreeStore;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.rename.Tries;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Loop;
import org.treerename.runtime.ServiceCommand;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.runtime.WallClockOptions;
import org.treerename.runtime.Watchdog;
import org.treerename.steps.Steps;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.wire.KafkaOutcomes;
import org.treerename.wire.KafkaSender;
import org.treerename.worker.WorkerSettings.Group;
import org.treerename.worker.WorkerSettings.Protocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    private static final Logger log = LoggerFactory.getLogger(Main.class);
    private static final int STUCK = 4;
    private static final Duration PROBE = Duration.ofSeconds(1);
    private static final int LOOKS = 10;
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
            names = "--max-tries",
            defaultValue = "5",
            description = "How often a request is tried whose work fails unexpectedly, 1 to 100.")
    private int maxTries;

    @Option(names = "--concurrency", defaultValue = "64", description = "How many requests are carried at once.")
    private int concurrency;

    @Option(
            names = "--window",
            defaultValue = "10000",
            description = "How many requests of one partition may be taken since the lowest that has not ended.")
    private int window;

    @Option(
            names = "--stuck-after",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description =
                    "After how long without progress a rename under way is taken for stuck, and the process ends.")
    private Duration stuckAfter = Duration.ZERO;

    @Option(
            names = "--shutdown-grace",
            defaultValue = "25s",
            converter = DurationConverter.class,
            description = "How long a stopping worker may go on with what it has begun.")
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

    private WorkerSettings settings() {
        return new WorkerSettings(
                kafkaBootstrapServers,
                elasticsearchUrl,
                requestTimeout,
                elasticsearchRequests,
                documentsPerSecond,
                new Group(groupId, groupProtocol),
                new Lease(lease),
                lockWait,
                pageSize,
                maxPasses,
                maxTries,
                new Window(concurrency, window),
                stuckAfter,
                shutdownGrace);
    }

    /** One incarnation after the other: who is fenced begins again under a new process id. */
    @Override
    public Integer call() {
        WorkerSettings settings = settings();
        CrashPoints points = crash.points(System.getenv());
        Time time = clock.time(System.getenv());
        End end;
        do {
            end = live(settings, points, time);
        } while (end == End.FENCED);
        return CommandLine.ExitCode.OK;
    }

    private static End live(WorkerSettings settings, CrashPoints points, Time time) {
        ProcessId processId = ProcessId.create(SERVICE);
        Carrier carrier = new Carrier(
                processId.text(),
                time,
                Backoff.Factory.jittered(time),
                settings.lockWait(),
                settings.maxPasses(),
                new StopSignal());
        int perSecond = settings.documentsPerSecond();
        ElasticTreeStore.Limits limits =
                new ElasticTreeStore.Limits(PacedTreeStore.page(settings.pageSize(), perSecond), BULK_BYTES);
        // the heartbeat has a client of its own, so that nothing it shares can hold it up
        Watchdog watchdog =
                new Watchdog(time, settings.stuckAfter(), () -> carrier.stop().isHeld());
        try (Elastic elastic = Elastic.connect(
                                Elastic.Settings.of(settings.elasticsearchUrl(), settings.requestTimeout())
                                        .withConnections(settings.elasticsearchRequests()),
                                request -> watchdog.moved())
                        .behindCircuit();
                Loop probing = Loop.start("elasticsearch-probe", time, PROBE, elastic::probe);
                Elastic heartbeats = Elastic.connect(Elastic.Settings.of(
                        settings.elasticsearchUrl(), settings.lease().heartbeatTimeout()));
                KafkaSender sender = KafkaSender.connect(settings.kafkaBootstrapServers(), watchdog::moved);
                Loop watching = Loop.start(
                        "watchdog", time, settings.stuckAfter().dividedBy(LOOKS), () -> endIfStuck(watchdog))) {
            ControlIndex control = new ControlIndex(elastic);
            Stores stores = Steps.logged(Crashing.ofWorker(
                    points,
                    new Stores(
                            new ElasticNamespaces(elastic, control),
                            new ElasticJournal(control),
                            new ElasticLockStore(control),
                            PacedTreeStore.of(new ElasticTreeStore(elastic, limits), carrier, perSecond),
                            new KafkaOutcomes(sender, "/rename-worker", time))));
            carrier.persist("the control index", control::create);
            ProcessStore own = new ElasticProcessStore(new ControlIndex(heartbeats));
            Instant startedAt = time.now();
            Heartbeat heartbeat = carrier.persist(
                    "the process document",
                    () -> Heartbeat.beginHere(own, processId, SERVICE, settings.lease(), startedAt));
            Renamer renamer = new Renamer(stores, new JsonOutcomeCodec(), carrier);
            Tries tries = new Tries(settings.maxTries(), new Backoff.Factory(time, Tries.intervals()));
            RequestLoop requests = new RequestLoop(
                    new KafkaConsumer<>(settings.consumer()),
                    new RequestLoop.Tools(
                            stop -> watched(watchdog, tries, renamer.stoppedBy(stop)),
                            new Carriage(new DeadLetters(sender), carrier),
                            carrier.stop(),
                            settings.window(),
                            elastic::isGone,
                            () -> points.reach(CrashPoint.BEFORE_OFFSET)));
            return new Incarnation(heartbeat, settings.lease(), time, carrier.stop(), sentNanos -> {})
                    .live(requests::run, settings.shutdownGrace());
        }
    }

    private static Function<Delivery, Answer> watched(Watchdog watchdog, Tries tries, Renamer renamer) {
        return delivery -> watchdog.watch(() -> tries.run(renamer, delivery));
    }

    /** The heartbeat of a process whose thread is stuck would keep its locks for ever. */
    private static void endIfStuck(Watchdog watchdog) {
        if (watchdog.isStuck()) {
            log.error("a rename has made no progress for long; this process ends, and a janitor takes the rename over");
            Runtime.getRuntime().halt(STUCK);
        }
    }
}
