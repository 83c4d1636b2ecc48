package org.treerename.janitor.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.KafkaOptions;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.ProcessId;
import org.treerename.rename.Carrier;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.RollForward;
import org.treerename.rename.RollForward.Result;
import org.treerename.rename.State;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;
import org.treerename.trace.CurrentTrace;
import org.treerename.trace.Spans;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.wire.KafkaOutcomes;
import org.treerename.wire.KafkaSender;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rename-admin resume}: a process of its own, with its own heartbeat, for one rename. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = {
            "Takes a parked rename up again, now: after what kept its documents from moving was mended.",
            "The janitors do the same now and then. What ends half-way is taken over by a janitor."
        },
        footer = {
            "",
            "Exit codes: 0 the rename is done and closed, 1 it is parked again or was not parked, 2 wrong use,"
                    + " 3 Elasticsearch did not answer."
        })
final class ResumeCommand implements Callable<Integer> {

    private static final String SERVICE = "admin";
    private static final int MAX_PASSES = 10;
    private static final Duration GRACE = Duration.ofSeconds(25);

    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "REQUEST_ID", description = "The request id, as rename-admin audit tells it.")
    private String requestId = "";

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    /** Where the outcome goes. */
    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--lease",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long this process may be silent before others may take it for dead"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration leaseLength = Duration.ZERO;

    /** Unless this process comes to know better: it is fenced, say. */
    private Result result = Result.LOST;

    ResumeCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        Lease lease = new Lease(leaseLength);
        ProcessId processId = ProcessId.create(SERVICE);
        Carrier carrier = new Carrier(
                processId.text(), time, Backoff.Factory.jittered(time), Duration.ZERO, MAX_PASSES, new StopSignal());
        try (Elastic elastic = Elastic.connect(elasticsearch.settings());
                Elastic heartbeats = Elastic.connect(elasticsearch.settings().withTimeout(lease.heartbeatTimeout()));
                KafkaSender sender = KafkaSender.connect(kafka.settings())) {
            ControlIndex control = new ControlIndex(elastic);
            Journal journal = new ElasticJournal(control);
            Spans spans = Spans.ofProcess();
            ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
            var known = namespaces.all();
            Stores stores = spans.traced(
                    new Stores(
                            namespaces,
                            journal,
                            new ElasticLockStore(control),
                            new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT, () -> known),
                            new KafkaOutcomes(sender, "/rename-admin", time, CurrentTrace::get)),
                    new JsonOutcomeCodec()::decode);
            if (!isParked(journal)) {
                spec.commandLine().getOut().println(inWords(Result.LEFT_ALONE, journal.read(requestId)));
                return ExitCodes.NOT_WELL;
            }
            // asked once: here somebody waits for the answer
            Heartbeat heartbeat = Heartbeat.beginHere(
                    new ElasticProcessStore(new ControlIndex(heartbeats)), processId, SERVICE, lease, time.now());
            RollForward rollForward =
                    new RollForward(stores, new ElasticProcessStore(control), new JsonOutcomeCodec(), carrier);
            new Incarnation(heartbeat, lease, time, carrier.stop(), sentNanos -> {})
                    .live(
                            () -> result = spans.takingOver(processId.text(), () -> rollForward.ofParked(requestId)),
                            GRACE);
            spec.commandLine().getOut().println(inWords(result, journal.read(requestId)));
            return result == Result.CLOSED ? ExitCodes.WELL : ExitCodes.NOT_WELL;
        }
    }

    private boolean isParked(Journal journal) {
        return journal.read(requestId)
                .filter(found -> found.value().state() == State.PARKED)
                .isPresent();
    }

    private String inWords(Result result, Optional<Versioned<JournalEntry>> found) {
        if (found.isEmpty()) {
            return "request " + requestId + " has no journal entry";
        }
        JournalEntry entry = found.get().value();
        String now = "request " + requestId + " is " + entry.state();
        return switch (result) {
            case CLOSED ->
                now + ": " + entry.ended().map(JournalEntry.Ending::outcome).orElse("no outcome is kept");
            case PARKED -> now + " again: " + entry.parking();
            case LOST -> now + " and carried by " + entry.ownership().processId();
            case LEFT_ALONE, GIVEN_BACK -> now + ", there is nothing to take up";
        };
    }
}
