package org.treerename.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.elastic.SeparateTrees;
import org.treerename.kafka.KafkaOutcomes;
import org.treerename.kafka.KafkaProgress;
import org.treerename.kafka.KafkaSender;
import org.treerename.observe.CurrentTrace;
import org.treerename.observe.Measured;
import org.treerename.observe.Metric;
import org.treerename.observe.ProgressJournal;
import org.treerename.observe.RequestTimes;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Pause;
import org.treerename.process.PauseSign;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Loop;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.PacedTreeStore;
import org.treerename.tree.TreeStore;
import org.treerename.tree.YieldingTreeStore;

/** Opens and closes the connections and stores of one incarnation of a service. */
public final class Wiring implements AutoCloseable {

    /**
     * One incarnation of a service.
     *
     * @param service the name of the service; the process id begins with this name if no process name is set
     * @param program the name of the program, which the outcomes of this incarnation contain as their source
     */
    public record Life(Host host, String service, String program, ProcessContext context) {

        /**
         * Creates an incarnation with a new process id.
         *
         * @param lockWait the longest time that a rename of this incarnation waits for locks
         */
        public static Life begin(Host host, String service, String program, Duration lockWait) {
            ProcessContext context = new ProcessContext(
                    host.settings().newProcess(service).text(),
                    host.time(),
                    Measured.of(
                            Backoff.Factory.jittered(host.time()),
                            host.observability().meters()),
                    lockWait,
                    host.settings().maxPasses(),
                    new StopSignal());
            return new Life(host, service, program, context);
        }
    }

    private static final Duration PROBE = Duration.ofSeconds(1);

    private final Life life;
    private final Runnable observer;
    private final Elastic elastic;
    private final ControlIndex control;
    private final Loop probing;
    private final Elastic heartbeats;
    private final KafkaSender sender;
    private final KafkaProgress progress;
    private final HeartbeatHealth heartbeatHealth;
    private final ElasticNamespaces namespaces;
    private @Nullable KnownNamespaces known;

    private Wiring(
            Life life,
            Runnable observer,
            Elastic elastic,
            Elastic heartbeats,
            KafkaSender sender,
            HeartbeatHealth heartbeatHealth) {
        this.life = life;
        this.observer = observer;
        this.elastic = elastic;
        this.control = new ControlIndex(elastic);
        this.namespaces = new ElasticNamespaces(elastic, control);
        this.probing = Loop.start("elasticsearch-probe", life.host().time(), PROBE, elastic::probe);
        this.heartbeats = heartbeats;
        this.sender = sender;
        this.progress = KafkaProgress.connect(
                life.host().settings().kafka(),
                "/" + life.program(),
                life.host().time());
        this.heartbeatHealth = heartbeatHealth;
        life.host().observability().meters().show(Metric.GONE, () -> elastic.isGone() ? 1 : 0);
    }

    /**
     * Creates the connections. The first request that uses a connection opens the connection. The heartbeat has its own
     * client, so that no other request can delay it.
     *
     * @param observer the function that a working thread calls before each request to a server. The heartbeat does not
     *     call this function
     */
    public static Wiring connect(Life life, Runnable observer) {
        ServiceSettings settings = life.host().settings();
        RequestTimes times = new RequestTimes(
                life.host().observability().meters(),
                settings.elasticsearch().installation(),
                life.host().time());
        HeartbeatHealth heartbeatHealth =
                new HeartbeatHealth(life.host(), life.context().stop());
        return new Wiring(
                life,
                observer,
                Elastic.connect(settings.elasticsearch(), new Elastic.Observer() {
                            @Override
                            public void asking() {
                                observer.run();
                            }

                            @Override
                            public Elastic.Sent sending(String request) {
                                return times.sending(request);
                            }
                        })
                        .behindCircuit(),
                Elastic.connect(
                        settings.elasticsearch()
                                .withConnections(Elastic.Settings.CONNECTIONS)
                                .withTimeout(settings.lease().heartbeatTimeout()),
                        request -> {
                            heartbeatHealth.beating();
                            return status -> {};
                        }),
                KafkaSender.connect(settings.kafka(), observer),
                heartbeatHealth);
    }

    /** Returns the control index. All threads share it, so that writes at the same moment share one request. */
    public ControlIndex control() {
        return control;
    }

    public KafkaSender sender() {
        return sender;
    }

    /**
     * Returns whether Elasticsearch is treated as unavailable. In this case, the process should start no work that
     * needs Elasticsearch.
     */
    public boolean isElasticsearchGone() {
        return elastic.isGone();
    }

    public Stores stores() {
        ServiceSettings settings = life.host().settings();
        Stores stores = new Stores(
                namespaces,
                new ProgressJournal(
                        new ElasticJournal(control()), progress, life.host().time()),
                new ElasticLockStore(control()),
                tree(settings),
                new KafkaOutcomes(
                        sender,
                        settings.kafka().installation().outcomes(),
                        "/" + life.program(),
                        life.host().time(),
                        CurrentTrace::get));
        Observability observability = life.host().observability();
        Stores observed = observability
                .spans()
                .traced(Measured.of(stores, observability.meters(), life.host().time()));
        return life.host().instrumentation().stores(observed);
    }

    /** Without a limit, long moves slow down while other renames begin. With a limit, only the limit applies. */
    private TreeStore tree(ServiceSettings settings) {
        int limit = settings.documentsPerSecond();
        Time time = life.host().time();
        TreeStore tree = new SeparateTrees(
                () -> new ElasticTreeStore(elastic.apart(), settings.limits(), namespaces::known, time::nanos));
        TreeStore yielding = limit == 0 ? new YieldingTreeStore(tree, time) : tree;
        return new PacedTreeStore(yielding, life.context(), limit, observer);
    }

    public ProcessStore processes() {
        return processes(control());
    }

    /** Returns a process store with connections of its own. No other request of this process delays its requests. */
    public ProcessStore processesApart() {
        return processes(new ControlIndex(elastic.apart()));
    }

    private ProcessStore processes(ControlIndex control) {
        ProcessStore measured = Measured.of(
                new ElasticProcessStore(control), life.host().observability().meters());
        return life.host().instrumentation().processes(measured);
    }

    /** If Elasticsearch refuses this process, throws at once, because a retry would not help. */
    private void createControl() {
        try {
            control.forbidden().ifPresent(problem -> {
                throw new IllegalArgumentException(problem.toString());
            });
            boolean isChecked = ServerChecks.checkVersion(elastic);
            control.create();
            if (!isChecked) {
                // without the cluster privilege monitor, a process can read the version of Elasticsearch only after it
                // has created the control index
                var unused = ServerChecks.checkVersion(elastic);
            }
            control.unusable().ifPresent(problem -> {
                throw new IllegalArgumentException(problem.toString());
            });
        } catch (NoAnswerException e) {
            if (e.isAuthenticationFailure()) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /**
     * Starts the incarnation. Returns when the control index, the namespaces and the process document exist.
     *
     * @param acknowledged receives, for each acknowledged heartbeat, the time on the monotonic clock at which the
     *     heartbeat was sent
     * @throws IllegalArgumentException if a namespace of the file cannot be defined, if Elasticsearch refuses this
     *     process, or if this process lacks a privilege on the control index
     */
    public Incarnation begin(LongConsumer acknowledged) {
        return begin(acknowledged, null);
    }

    /**
     * Starts the incarnation of a worker. Returns when the control index, the namespaces and the process document
     * exist.
     *
     * @param paused receives the current pause before this method returns, and again with each heartbeat
     */
    public Incarnation begin(PauseSign paused) {
        life.host().observability().health().report("pause", paused::inWords);
        return begin(sentNanos -> {}, paused::reported);
    }

    private Incarnation begin(LongConsumer acknowledged, @Nullable Consumer<Optional<Pause>> paused) {
        ProcessContext context = life.context();
        Host host = life.host();
        context.retryUntilAnswered("the control index", this::createControl);
        ServerChecks.startInBackground(
                host.settings().elasticsearch(), host.settings().kafka());
        known = KnownNamespaces.keep(
                namespaces, new ElasticTreeCheck(elastic), host.settings().namespaces(), context);
        ProcessStore own = new ElasticProcessStore(new ControlIndex(heartbeats), paused);
        Instant startedAt = host.time().now();
        Heartbeat heartbeat = context.retryUntilAnswered(
                "the process document",
                () -> Heartbeat.beginHere(
                        own,
                        new ProcessId(context.processId()),
                        life.service(),
                        host.settings().lease(),
                        startedAt));
        heartbeatHealth.show();
        return new Incarnation(heartbeat, host.settings().lease(), host.time(), context.stop(), sentNanos -> {
            heartbeatHealth.acknowledged(sentNanos);
            acknowledged.accept(sentNanos);
        });
    }

    @Override
    public void close() {
        KnownNamespaces definitions = known;
        try (elastic;
                probing;
                definitions;
                heartbeats;
                progress) {
            sender.close();
        }
    }
}
