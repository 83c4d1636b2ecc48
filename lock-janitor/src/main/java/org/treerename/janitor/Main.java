package org.treerename.janitor;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticWatermark;
import org.treerename.janitor.audit.Auditor;
import org.treerename.janitor.console.Console;
import org.treerename.janitor.console.ConsoleOptions;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.JournalCleanup;
import org.treerename.janitor.recovery.OwnWrites;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.journal.Journal;
import org.treerename.journal.LockBooks;
import org.treerename.kafka.KafkaRequestLog;
import org.treerename.namespace.Namespaces;
import org.treerename.process.Incarnation;
import org.treerename.process.Incarnation.End;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program {@code lock-janitor}: reads the settings and runs one janitor. */
@Command(
        name = "lock-janitor",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:wrong use; or, at the start, a server rejects the login, does not grant a right, or is too old",
            "3:a server refuses a request",
            "70:a defect in this program",
            "130:ended by SIGINT",
            "143:ended by SIGTERM"
        },
        description = {
            "Detects dead processes, rolls their renames forward, and releases their locks.",
            "Each option can also be set as an environment variable or in a configuration file. For example,"
                    + " --sweep-every is TREE_RENAME_SWEEP_EVERY in the environment. KAFKA_BOOTSTRAP_SERVERS"
                    + " and ELASTICSEARCH_URL do not begin with TREE_RENAME_. --config names the configuration file."
        })
public final class Main implements Callable<Integer> {

    /** A janitor is treated as stuck if it makes no progress for one tick plus this number of request timeouts. */
    private static final int REQUESTS = 3;

    private static final int SWEEPS_PER_CLEANUP = 12;

    private final Supplier<Instrumentation> instrumentation;

    @Mixin
    private ServiceOptions shared = new ServiceOptions();

    @Option(
            names = "--group-id",
            description = "The consumer group of the workers. Without this option, the group is rename-workers,"
                    + " or PREFIX.rename-workers with a prefix. A journal entry is deleted only after this group has"
                    + " finished all requests up to the request of the entry.")
    private @Nullable String groupId;

    @Option(
            names = "--sweep-every",
            defaultValue = "5s",
            converter = DurationConverter.class,
            description = "The least time between two sweeps of all lock tables. A sweep removes locks that no rename"
                    + " needs any more. After 12 times this time, old process documents and journal entries are"
                    + " deleted.")
    private Duration sweepEvery = Duration.ZERO;

    @Option(
            names = "--parked-every",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description = "The time between two tries to finish a parked rename.")
    private Duration parkedEvery = Duration.ZERO;

    @Option(
            names = "--journal-retention",
            defaultValue = "8d",
            converter = DurationConverter.class,
            description = "The shortest time for which the journal entry of a closed rename is kept. The time begins at"
                    + " the end of the rename or at the last record of its request, whichever is later. If"
                    + " retention.ms of the request topic is longer, the janitor uses retention.ms instead.")
    private Duration journalRetention = Duration.ZERO;

    @Option(
            names = "--process-retention",
            defaultValue = "1d",
            converter = DurationConverter.class,
            description = "How long the process document of an ended process is kept, counted from the start of the"
                    + " process.")
    private Duration processRetention = Duration.ZERO;

    @Option(
            names = "--audit-every",
            defaultValue = "1h",
            converter = DurationConverter.class,
            description = "The time between two audits of locks, journal and processes. 0s turns these audits off.")
    private Duration auditEvery = Duration.ZERO;

    @Mixin
    private ConsoleOptions console = new ConsoleOptions();

    /** Creates the janitor for production, without decorators. */
    public Main() {
        this(() -> Instrumentation.NONE);
    }

    /**
     * Creates a janitor for tests.
     *
     * @param instrumentation the function that returns the decorators of the janitor; called once, after the options
     *     are parsed
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

    /** Runs the service. If its process is fenced, the service continues under a new process id. */
    @Override
    public Integer call() {
        try (Host host = shared.host(instrumentation.get())) {
            JanitorSettings settings = settings(host.settings());
            CurrentJanitor current = new CurrentJanitor();
            try (Console open =
                    console.isWanted() ? Console.open(console, host, processRetention, current::retryParked) : null) {
                host.live(() -> live(settings, host, current));
            }
            return CommandLine.ExitCode.OK;
        }
    }

    JanitorSettings settings(ServiceSettings common) {
        return new JanitorSettings(
                common.lease(),
                groupId == null ? common.kafka().installation().workers() : groupId,
                sweepEvery,
                sweepEvery.multipliedBy(SWEEPS_PER_CLEANUP),
                parkedEvery,
                journalRetention,
                processRetention,
                auditEvery);
    }

    private static End live(JanitorSettings settings, Host host, CurrentJanitor current) {
        Life life = Life.begin(host, "janitor", "lock-janitor", Duration.ZERO);
        ProcessContext context = life.context();
        Watchdog watchdog = new Watchdog(
                host.time(),
                settings.tick().plus(host.settings().requestTimeout().multipliedBy(REQUESTS)),
                () -> context.stop().isHeld());
        try (Wiring wiring = Wiring.connect(life, watchdog::moved);
                KafkaRequestLog requests =
                        KafkaRequestLog.connect(host.settings().kafka(), settings.groupId());
                Loop watching = KafkaWatch.start(host, requests::topic)) {
            Stores stores = wiring.stores();
            ProcessStore processes = wiring.processes();
            OwnWrites ownWrites = new OwnWrites();
            Incarnation incarnation = wiring.begin(ownWrites::acknowledged);
            host.observability().health().aliveIf("ticks", () -> problem(watchdog));
            JanitorGauges gauges = JanitorGauges.of(host, stores.journal());
            DeathWatch watch = new DeathWatch(wiring.processesApart(), host.time(), ownWrites, settings.lease());
            Janitor janitor = new Janitor(
                    new Janitor.Tools(
                            watch,
                            stores.journal(),
                            new RollForward(
                                    stores, new ElasticWatermark(wiring.control()), processes, watch.fenced(), context),
                            new Janitor.Cleanup(
                                    new Sweep(stores, context),
                                    new ProcessCleanup(
                                            stores.journal(), processes, host.time(), settings.processRetention()),
                                    journalCleanup(stores.journal(), wiring, requests, context, settings)),
                            host.observability().spans(),
                            gauges::poll),
                    context,
                    settings);
            try (Loop auditing = auditing(settings, host, wiring, stores.namespaces())) {
                return incarnation.live(
                        () -> watchdog.watch(() -> current.run(janitor)),
                        host.settings().shutdownGrace());
            }
        }
    }

    private static Optional<String> problem(Watchdog watchdog) {
        return watchdog.isStuck() ? Optional.of("the ticks of this janitor make no progress") : Optional.empty();
    }

    private static JournalCleanup journalCleanup(
            Journal journal,
            Wiring wiring,
            KafkaRequestLog requests,
            ProcessContext context,
            JanitorSettings settings) {
        return new JournalCleanup(
                journal, new ElasticWatermark(wiring.control()), requests, context, settings.journalRetention());
    }

    /** Starts the regular audit. The audit only reads, and runs in parallel with the ticks of the janitor. */
    private static Loop auditing(JanitorSettings settings, Host host, Wiring wiring, Namespaces namespaces) {
        Auditor auditor = new Auditor(
                LockBooks.of(namespaces, new ElasticJournal(wiring.control()), new ElasticLockStore(wiring.control())),
                new ElasticProcessStore(wiring.control()),
                host.time(),
                settings.processRetention());
        RegularAudit audit = RegularAudit.of(
                auditor::audit,
                settings.auditEvery(),
                host.time(),
                host.observability().meters());
        return Loop.start("audit", host.time(), RegularAudit.TICK, audit::poll);
    }
}
