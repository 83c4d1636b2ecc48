package org.treerename.worker;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.crash.CrashPoint;
import org.treerename.crash.Crashing;
import org.treerename.host.Host;
import org.treerename.host.KafkaWatch;
import org.treerename.host.ServiceCommand;
import org.treerename.host.ServiceOptions;
import org.treerename.host.ServiceSettings;
import org.treerename.host.Wiring;
import org.treerename.host.Wiring.Life;
import org.treerename.metrics.Metric;
import org.treerename.process.Incarnation;
import org.treerename.process.Incarnation.End;
import org.treerename.process.PauseSign;
import org.treerename.rename.Delivery;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Watchdog;
import org.treerename.steps.Steps;
import org.treerename.store.RefusedException;
import org.treerename.wire.KafkaRequestLog;
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
    private static final int STUCK_CHECKS = 10;

    @Mixin
    private ServiceOptions shared = new ServiceOptions();

    @Option(
            names = "--group-id",
            defaultValue = "rename-workers",
            description = "The consumer group, the same for all workers.")
    private String groupId = "";

    @Option(
            names = "--group-protocol",
            defaultValue = "consumer",
            description = "Kafka's group protocol: consumer, or classic for brokers that do not have the newer one.")
    private Protocol groupProtocol = Protocol.CONSUMER;

    @Option(
            names = "--lock-wait",
            defaultValue = "2m",
            converter = DurationConverter.class,
            description = "How long a rename waits for locks of other requests before it fails. Time in which"
                    + " Elasticsearch does not answer does not count.")
    private Duration lockWait = Duration.ZERO;

    @Option(
            names = "--after-timeout",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long a request waits for a journal entry of a request that it names in after, or for one"
                    + " that was given back. While such a request is processed, there is no limit.")
    private Duration afterTimeout = Duration.ZERO;

    @Option(
            names = "--max-tries",
            defaultValue = "5",
            description = "How often a request is tried if its work fails unexpectedly, 1 to 100, with growing pauses."
                    + " Then it fails or, if it is decided, is parked. Waiting for locks and for servers does not"
                    + " count.")
    private int maxTries;

    @Option(
            names = "--concurrency",
            defaultValue = "1024",
            description =
                    "How many requests are processed at once, 1 to 4096. Requests whose locks conflict are processed"
                            + " one after the other, in the order of their partition. More requests at once share more"
                            + " requests to Elasticsearch, and need more memory.")
    private int concurrency;

    @Option(
            names = "--window",
            defaultValue = "10000",
            description = "How many requests of one partition may be taken, counted from the lowest one that has not"
                    + " ended; not fewer than --concurrency. Then the partition is paused. All partitions of a worker"
                    + " together have room for 30000 requests and 64 MiB; beyond that, partitions that use more than"
                    + " their share are paused.")
    private int window;

    @Option(
            names = "--stuck-after",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "After how long without progress a rename counts as stuck, so that the process ends. At least"
                    + " two request time-outs. Time in which heartbeats get no answer does not count.")
    private Duration stuckAfter = Duration.ZERO;

    public static void main(String[] args) {
        System.exit(ServiceCommand.run(command(), args));
    }

    static CommandLine command() {
        return ServiceCommand.of(new Main());
    }

    /** Runs one process identity (incarnation) after the other. */
    @Override
    public Integer call() {
        try (Host host = shared.host()) {
            WorkerSettings settings = settings(host.settings());
            host.live(() -> live(settings, host));
            return CommandLine.ExitCode.OK;
        }
    }

    /**
     * Returns the settings of a worker.
     *
     * @throws IllegalArgumentException if the value of an option is invalid
     */
    WorkerSettings settings(ServiceSettings common) {
        return new WorkerSettings(
                common,
                new Group(groupId, groupProtocol),
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
            Stores stores = Steps.logged(Crashing.ofWorker(host.points(), wiring.stores()));
            PauseSign paused = new PauseSign();
            Incarnation incarnation = wiring.begin(paused);
            readNamespaces(stores, context);
            KafkaConsumer<byte[], byte[]> consumer =
                    host.settings().kafka().client(settings.consumer(), all -> new KafkaConsumer<>(all));
            WorkerGauges gauges = WorkerGauges.of(host, watchdog, consumer);
            incarnation.report(gauges::running);
            RetryLimit tries =
                    new RetryLimit(settings.maxTries(), new Backoff.Factory(host.time(), RetryLimit.intervals()));
            BooleanSupplier gone = () -> wiring.isElasticsearchGone() || paused.isOn();
            DeadLetters deadLetters = new DeadLetters(
                    wiring.sender()::send,
                    reason -> host.observability().meters().count(Metric.DEAD_LETTERS, reason));
            Worker worker = new Worker(
                    new Worker.Tools(consumer, stores, context, tries, watchdog, deadLetters),
                    new Worker.Limits(settings.afterTimeout(), settings.window(), gone),
                    Main::start,
                    new Worker.Hooks(
                            renamer -> traced(host, context, renamer),
                            () -> host.points().reach(CrashPoint.BEFORE_OFFSET),
                            gauges::update));
            try (Loop looking = Loop.start("held-back", host.time(), Worker.pollEvery(), worker::awaitAndPoll)) {
                return incarnation.live(worker::run, host.settings().shutdownGrace());
            }
        }
    }

    private static void start(String name, Runnable request) {
        var unused = Thread.ofVirtual().name(name).start(request);
    }

    /** Reads all namespaces before the first request. A request of an unknown namespace conflicts with all others of that namespace. */
    private static void readNamespaces(Stores stores, ProcessContext context) {
        try {
            context.retryUntilAnswered(
                    "the namespaces", () -> stores.namespaces().all());
        } catch (RefusedException e) {
            log.warn("cannot read the namespaces: {}; each is read when a request names it", e.getMessage());
        }
    }

    private static Function<Delivery, Answer> traced(
            Host host, ProcessContext context, Function<Delivery, Answer> renamer) {
        return delivery ->
                host.observability().spans().delivered(context.processId(), delivery, () -> renamer.apply(delivery));
    }

    /** Ends the process if a rename is stuck. Otherwise the heartbeat of the process would keep the locks of that rename for ever. */
    private static void endIfStuck(Watchdog watchdog) {
        if (watchdog.isStuck()) {
            log.error(
                    "a rename has made no progress for --stuck-after; this process ends, and a janitor takes the rename over");
            Runtime.getRuntime().halt(STUCK);
        }
    }
}
