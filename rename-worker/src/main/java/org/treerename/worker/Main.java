package org.treerename.worker;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.ExitCode;
import org.treerename.installation.Installation;
import org.treerename.journal.Delivery;
import org.treerename.kafka.KafkaRequestLog;
import org.treerename.observe.Metric;
import org.treerename.process.Incarnation;
import org.treerename.process.Incarnation.End;
import org.treerename.process.PauseSign;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Watchdog;
import org.treerename.service.Host;
import org.treerename.service.Instrumentation;
import org.treerename.service.KafkaWatch;
import org.treerename.service.ServiceCommand;
import org.treerename.service.ServiceOptions;
import org.treerename.service.ServiceSettings;
import org.treerename.service.Wiring;
import org.treerename.service.Wiring.Life;
import org.treerename.store.RefusedException;
import org.treerename.worker.WorkerSettings.Group;
import org.treerename.worker.WorkerSettings.Protocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the settings, connects to Kafka and Elasticsearch, and runs one worker. */
@Command(
        name = "rename-worker",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:wrong use; or, at the start, a server rejects the login, does not grant a right, or is too old",
            "3:a server refuses a request, for example because Kafka does not allow this worker to read requests",
            "4:a rename made no progress for longer than --stuck-after",
            "70:a defect in this program",
            "130:ended by SIGINT",
            "143:ended by SIGTERM"
        },
        description = {
            "Takes rename requests from Kafka, renames directories in Elasticsearch, and publishes the outcomes.",
            "Each option can also be set as an environment variable or in a configuration file. For example,"
                    + " --lock-wait is TREE_RENAME_LOCK_WAIT in the environment. KAFKA_BOOTSTRAP_SERVERS"
                    + " and ELASTICSEARCH_URL do not begin with TREE_RENAME_. --config names the configuration file."
        })
public final class Main implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(Main.class);
    private static final int STUCK_CHECKS = 10;

    private final Supplier<Instrumentation> instrumentation;

    @Mixin
    private ServiceOptions shared = new ServiceOptions();

    @Option(
            names = "--group-id",
            description = "The consumer group. All workers must have the same value. Without this option, the group"
                    + " is rename-workers, or PREFIX.rename-workers with a prefix.")
    private @Nullable String groupId;

    @Option(
            names = "--group-protocol",
            defaultValue = "consumer",
            description = "Kafka's group protocol: consumer or classic. Use classic if the brokers do not support"
                    + " consumer.")
    private Protocol groupProtocol = Protocol.CONSUMER;

    @Option(
            names = "--lock-wait",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "How long a rename waits for the locks of other requests. After this time the rename fails."
                    + " Time without an answer from Elasticsearch is not included.")
    private Duration lockWait = Duration.ZERO;

    @Option(
            names = "--after-timeout",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long a request waits for a predecessor. The field 'after' of a request names its"
                    + " predecessors. After this time the request ends, and no document moves. The limit applies while"
                    + " the predecessor has no journal entry or waits for its next delivery. There is no limit while"
                    + " the predecessor is processed.")
    private Duration afterTimeout = Duration.ZERO;

    @Option(
            names = "--max-tries",
            defaultValue = "5",
            description = "The maximum number of tries of a request that fails unexpectedly, 1 to 100. The pauses"
                    + " between the tries grow. After the last try, the request fails. If the request is decided, it"
                    + " is parked instead. A wait for locks or for servers is not a try.")
    private int maxTries;

    @Option(
            names = "--concurrency",
            defaultValue = "1024",
            description = "The maximum number of requests of one namespace in progress, 1 to 4096. Requests whose locks"
                    + " conflict are processed one after the other, in the order of their partition. With a larger"
                    + " number, more requests share one request to Elasticsearch, and the worker needs more memory."
                    + " If 4096 requests of all namespaces are in progress, only a namespace with less than its share"
                    + " begins another one.")
    private int concurrency;

    @Option(
            names = "--window",
            defaultValue = "10000",
            description = "The maximum number of requests of one partition that the worker has taken and that have not"
                    + " ended. The number must be at least --concurrency. At the maximum, the worker pauses the"
                    + " partition. All partitions of a worker together have room for 30000"
                    + " requests and 64 MiB. Above this limit, the worker pauses each partition that uses more than"
                    + " its share.")
    private int window;

    @Option(
            names = "--stuck-after",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long a rename may make no progress. After this time the rename is treated as stuck,"
                    + " and the worker process ends. The value must be at least two request timeouts. Time without"
                    + " an answer to heartbeats is not included.")
    private Duration stuckAfter = Duration.ZERO;

    /** Creates the command for production, without decorators. */
    public Main() {
        this(() -> Instrumentation.NONE);
    }

    /**
     * Creates the command for tests.
     *
     * @param instrumentation returns the decorators of the worker; called once, after the options are parsed
     */
    public Main(Supplier<Instrumentation> instrumentation) {
        this.instrumentation = instrumentation;
    }

    public static void main(String[] args) {
        System.exit(ServiceCommand.run(command(), args));
    }

    static CommandLine command() {
        return ServiceCommand.of(new Main());
    }

    /** Runs the service. If the process is fenced, the service continues under a new process id (a new incarnation). */
    @Override
    public Integer call() {
        try (Host host = shared.host(instrumentation.get())) {
            WorkerSettings settings = settings(host.settings());
            host.live(() -> live(settings, host));
            return CommandLine.ExitCode.OK;
        }
    }

    /**
     * Returns the settings of a worker that the options contain.
     *
     * @param common the settings that every service has
     * @throws IllegalArgumentException if the value of an option is invalid
     */
    WorkerSettings settings(ServiceSettings common) {
        return new WorkerSettings(
                common,
                new Group(groupId == null ? common.kafka().installation().workers() : groupId, groupProtocol),
                lockWait,
                afterTimeout,
                maxTries,
                new ConsumerLimits(concurrency, window),
                stuckAfter);
    }

    private static End live(WorkerSettings settings, Host host) {
        Life life = Life.begin(host, "worker", "rename-worker", settings.lockWait());
        ProcessContext context = life.context();
        Watchdog watchdog = new Watchdog(
                host.time(), settings.stuckAfter(), () -> context.stop().isHeld());
        try (Wiring wiring = Wiring.connect(life, watchdog::moved);
                KafkaRequestLog topic = KafkaRequestLog.connect(
                        host.settings().kafka(), settings.group().id());
                Loop asking = KafkaWatch.start(host, topic::topic);
                Loop watching = Loop.start(
                        "watchdog",
                        host.time(),
                        settings.stuckAfter().dividedBy(STUCK_CHECKS),
                        () -> endIfStuck(watchdog))) {
            Stores stores = wiring.stores();
            PauseSign paused = new PauseSign();
            Incarnation incarnation = wiring.begin(paused);
            readNamespaces(stores, context);
            KafkaConsumer<byte[], byte[]> consumer =
                    host.settings().kafka().client(settings.consumer(), all -> new KafkaConsumer<>(all));
            RetryLimit tries =
                    new RetryLimit(settings.maxTries(), new Backoff.Factory(host.time(), RetryLimit.intervals()));
            host.observability().health().readyIf("version", tries::needsLaterVersion);
            WorkerGauges gauges = WorkerGauges.of(host, watchdog, consumer);
            incarnation.report(gauges::running);
            BooleanSupplier gone = () -> wiring.isElasticsearchGone() || paused.isOn();
            Installation installation = host.settings().kafka().installation();
            DeadLetters deadLetters = new DeadLetters(
                    installation.deadLetters(),
                    wiring.sender()::send,
                    reason -> host.observability().meters().count(Metric.DEAD_LETTERS, reason));
            Worker worker = new Worker(
                    new Worker.Tools(consumer, installation.requests(), stores, context, tries, watchdog, deadLetters),
                    new Worker.Limits(settings.afterTimeout(), settings.window(), gone),
                    Main::start,
                    new Worker.Hooks(
                            renamer -> traced(host, context, renamer),
                            host.instrumentation()::beforeOffset,
                            gauges::update));
            try (Loop looking = Loop.start("held-back", host.time(), Worker.pollEvery(), worker::awaitAndPoll)) {
                return incarnation.live(worker::run, host.settings().shutdownGrace());
            }
        }
    }

    private static void start(String name, Runnable request) {
        var unused = Thread.ofVirtual().name(name).start(request);
    }

    /** While a namespace is unknown, each of its requests conflicts with all others of the namespace. */
    private static void readNamespaces(Stores stores, ProcessContext context) {
        try {
            context.retryUntilAnswered(
                    "the namespaces", () -> stores.namespaces().all());
        } catch (RefusedException e) {
            log.warn("cannot read the namespaces: {}; each namespace is read when a request names it", e.getMessage());
        }
    }

    private static Function<Delivery, Answer> traced(
            Host host, ProcessContext context, Function<Delivery, Answer> renamer) {
        return delivery -> host.observability()
                .spans()
                .delivered(context.processId(), delivery, () -> renamer.apply(delivery), Answer::problem);
    }

    /** A stuck process still sends heartbeats, so it would keep the locks of the stuck rename for ever. */
    private static void endIfStuck(Watchdog watchdog) {
        if (watchdog.isStuck()) {
            log.error("a rename has made no progress for longer than --stuck-after; this process ends, and a janitor"
                    + " takes over the rename");
            Runtime.getRuntime().halt(ExitCode.STUCK.code());
        }
    }
}
