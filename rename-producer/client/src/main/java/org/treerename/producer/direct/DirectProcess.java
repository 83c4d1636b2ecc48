package org.treerename.producer.direct;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.journal.Delivery;
import org.treerename.observe.ProgressJournal;
import org.treerename.process.FencedException;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.PauseSign;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.PacedTreeStore;
import org.treerename.tree.TreeStore;
import org.treerename.tree.YieldingTreeStore;

/**
 * Runs the direct renames of one incarnation of a program. Each incarnation has its own process id, process document
 * and heartbeat. If an incarnation is fenced, the program continues as a new incarnation. Any thread may call this
 * class.
 *
 * <ol>
 *   <li>Create the process document. If the process dies during this step, the document may show a live process without
 *       holds until the lease ends.
 *   <li>Run each rename on the thread of its caller ({@link Renamer}). If the process dies during this step, a janitor
 *       rolls decided renames forward, and fails the other renames.
 *   <li>After a stop request, wait for the renames in progress and write the last heartbeat. If the process dies during
 *       this step, a janitor fences the process when the lease has ended.
 * </ol>
 */
final class DirectProcess {

    /** The name of this service in the process document. If the workers are paused, this service is paused as well. */
    static final String SERVICE = "direct";

    private static final int MAX_PASSES = 10;
    private static final int MAX_TRIES = 5;
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    /**
     * The objects that all incarnations of a program share.
     *
     * @param heartbeats a separate connection, so that no other request can delay a heartbeat
     * @param decorator decorates the stores in tests
     */
    record Ground(
            DirectSettings settings, Elastic elastic, Elastic heartbeats, Time time, UnaryOperator<Stores> decorator) {}

    private final ProcessContext context;
    private final ElasticNamespaces namespaces;
    private final Renamer renamer;
    private final RetryLimit tries;
    private final Listeners listeners;
    private final PauseSign paused = new PauseSign();
    private final AtomicInteger running = new AtomicInteger();

    private DirectProcess(Ground ground, ControlIndex control) {
        Time time = ground.time();
        this.context = new ProcessContext(
                ProcessId.create(SERVICE).text(),
                time,
                Backoff.Factory.jittered(time),
                ground.settings().lockWait(),
                MAX_PASSES,
                new StopSignal());
        this.namespaces = new ElasticNamespaces(ground.elastic(), control);
        this.listeners = new Listeners();
        TreeStore tree =
                new ElasticTreeStore(ground.elastic(), ground.settings().limits(), namespaces::known, time::nanos);
        Stores stores = new Stores(
                namespaces,
                new ProgressJournal(listeners.reporting(new ElasticJournal(control)), listeners, time),
                new ElasticLockStore(control),
                new PacedTreeStore(new YieldingTreeStore(tree, time), context, 0, () -> {}),
                // no outcome is published: the journal contains the outcome, and the caller of the rename receives the
                // outcome
                (requestId, outcome) -> {});
        this.renamer = new Renamer(ground.decorator().apply(stores), context);
        this.tries = new RetryLimit(MAX_TRIES, new Backoff.Factory(time, RetryLimit.intervals()));
    }

    /**
     * Starts an incarnation. Returns when the process document exists. Retries failed requests only for a short time,
     * because a caller waits for the rename.
     *
     * @throws NoAnswerException if Elasticsearch does not answer
     * @throws RefusedException if Elasticsearch refuses a request of this process, or if the control index is not
     *     usable
     */
    static DirectProcess begin(Ground ground) {
        ControlIndex control = new ControlIndex(ground.elastic());
        control.forbidden().ifPresent(problem -> {
            throw new RefusedException(problem.toString());
        });
        control.create();
        control.unusable().ifPresent(problem -> {
            throw new RefusedException(problem.toString());
        });
        DirectProcess process = new DirectProcess(ground, control);
        process.live(ground);
        return process;
    }

    private void live(Ground ground) {
        DirectSettings settings = ground.settings();
        Heartbeat heartbeat =
                heartbeat(new ElasticProcessStore(new ControlIndex(ground.heartbeats()), paused::reported), settings);
        Incarnation incarnation =
                new Incarnation(heartbeat, settings.lease(), ground.time(), context.stop(), sentNanos -> {});
        incarnation.report(() -> paused.isOn() ? running.get() : Math.max(1, running.get()));
        Thread.ofPlatform().name("direct-renames").daemon().start(() -> {
            try {
                var unused = incarnation.live(this::awaitEnd, settings.grace());
            } finally {
                // requests in progress must not write any more, because other processes may own the renames now
                context.stop().abandon();
            }
        });
    }

    /** Repeats the write until the timeout of other requests is over, because a heartbeat has a shorter timeout. */
    private Heartbeat heartbeat(ProcessStore processes, DirectSettings settings) {
        Time time = context.time();
        ProcessId id = new ProcessId(context.processId());
        Instant startedAt = time.now();
        long begun = time.nanos();
        Backoff backoff = context.backoffs().begin("the process document");
        while (true) {
            try {
                return Heartbeat.beginHere(processes, id, SERVICE, settings.lease(), startedAt);
            } catch (NoAnswerException e) {
                boolean isOver = time.nanos() - begun
                        > settings.elasticsearch().timeout().toNanos();
                if (isOver || e.isAuthenticationFailure()) {
                    throw e;
                }
                ProcessContext.pauseAfter(e, backoff);
            }
        }
    }

    private void awaitEnd() {
        StopSignal stop = context.stop();
        while (!stop.isAbandoned() && !(stop.isRequested() && running.get() == 0)) {
            context.time().pause(LOOK_EVERY);
        }
    }

    /**
     * Runs a rename on the thread of the caller.
     *
     * @throws FencedException if this process was fenced, or has received a stop request
     * @throws RefusedException if renames are paused; nothing was written
     * @throws NoAnswerException if the definitions of the namespaces could not be read; nothing was written
     */
    Answer run(Delivery delivery, DirectListener listener) {
        running.incrementAndGet();
        try {
            if (isOver()) {
                throw new FencedException("request " + delivery.requestId());
            }
            paused.inWords().ifPresent(pause -> {
                throw new RefusedException(pause);
            });
            // read all definitions of namespaces first, because a rename is refused if two namespaces share an index
            var unused = namespaces.all();
            listeners.add(delivery.requestId(), listener);
            return tries.run(renamer, delivery);
        } finally {
            listeners.remove(delivery.requestId());
            running.decrementAndGet();
        }
    }

    /** Returns whether this incarnation was fenced, or has received a stop request. */
    boolean isOver() {
        return context.stop().isRequested();
    }

    /**
     * Requests the end of this incarnation. A rename that is not decided yet ends without moving a document. Returns
     * when no rename is in progress, or when the given time is over.
     */
    void end(Duration longest) {
        StopSignal stop = context.stop();
        stop.request();
        long begun = context.time().nanos();
        while (!stop.isAbandoned() && context.time().nanos() - begun < longest.toNanos()) {
            context.time().pause(LOOK_EVERY);
        }
        stop.abandon();
    }
}
