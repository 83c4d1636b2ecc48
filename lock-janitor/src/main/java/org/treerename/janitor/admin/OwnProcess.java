package org.treerename.janitor.admin;

import java.time.Duration;
import org.treerename.cli.DurationConverter;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.elastic.ElasticWatermark;
import org.treerename.janitor.recovery.FencedProcesses;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.KafkaOutcomes;
import org.treerename.kafka.KafkaSender;
import org.treerename.observe.CurrentTrace;
import org.treerename.observe.Spans;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.service.KafkaOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The process in which a command of {@code rename-admin} takes over renames. This process has its own process document
 * and sends heartbeats.
 */
final class OwnProcess implements AutoCloseable {

    /** The options for the process. */
    static final class Options {

        @Mixin
        private KafkaOptions kafka = new KafkaOptions();

        @Option(
                names = "--lease",
                defaultValue = "30s",
                converter = DurationConverter.class,
                paramLabel = "DURATION",
                description = "How long this process may be silent before other processes treat it as dead (default:"
                        + " ${DEFAULT-VALUE}). Use the same lease as the workers and janitors.")
        private Duration lease = Duration.ZERO;

        /** Creates the process, which connects to Elasticsearch at its first request. The caller closes the result. */
        OwnProcess connect(Elastic.Settings elasticsearch, Time time) {
            return new OwnProcess(elasticsearch, kafka.settings(elasticsearch.installation()), new Lease(lease), time);
        }
    }

    private static final String SERVICE = "admin";
    private static final int MAX_PASSES = 10;
    private static final Duration GRACE = Duration.ofSeconds(25);

    private final Lease lease;
    private final Time time;
    private final ProcessContext context;
    private final Elastic elastic;
    private final Elastic heartbeats;
    private final KafkaSender sender;
    private final ControlIndex control;
    private final Spans spans = Spans.ofProcess();

    private OwnProcess(Elastic.Settings elasticsearch, KafkaClientSettings kafka, Lease lease, Time time) {
        this.lease = lease;
        this.time = time;
        this.context = new ProcessContext(
                ProcessId.create(SERVICE).text(),
                time,
                Backoff.Factory.jittered(time),
                Duration.ZERO,
                MAX_PASSES,
                new StopSignal());
        this.elastic = Elastic.connect(elasticsearch);
        this.heartbeats = Elastic.connect(elasticsearch.withTimeout(lease.heartbeatTimeout()));
        this.sender = KafkaSender.connect(kafka);
        this.control = new ControlIndex(elastic);
    }

    ProcessContext context() {
        return context;
    }

    Spans spans() {
        return spans;
    }

    ProcessStore processes() {
        return new ElasticProcessStore(control);
    }

    Stores stores() {
        ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
        var known = namespaces.all();
        return spans.traced(new Stores(
                namespaces,
                new ElasticJournal(control),
                new ElasticLockStore(control),
                new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT, () -> known),
                new KafkaOutcomes(
                        sender, elastic.installation().outcomes(), "/rename-admin", time, CurrentTrace::get)));
    }

    RollForward rollForward(Stores stores) {
        return new RollForward(
                stores, new ElasticWatermark(control), processes(), new FencedProcesses(time, lease), context);
    }

    /**
     * Runs the work while this process sends heartbeats. The method tries only once to create the process document,
     * because a user is waiting for the result.
     */
    void live(Runnable work) {
        Heartbeat heartbeat = Heartbeat.beginHere(
                new ElasticProcessStore(new ControlIndex(heartbeats)),
                new ProcessId(context.processId()),
                SERVICE,
                lease,
                time.now());
        new Incarnation(heartbeat, lease, time, context.stop(), sentNanos -> {}).live(work, GRACE);
    }

    @Override
    public void close() {
        try (elastic;
                heartbeats) {
            sender.close();
        }
    }
}
