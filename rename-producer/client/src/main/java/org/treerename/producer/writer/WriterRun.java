package org.treerename.producer.writer;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import org.treerename.journal.LockBooks;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * One incarnation of a writer. Its thread checks whether the holds of the writer are lost. If an incarnation is fenced,
 * the writer continues as a new incarnation.
 */
record WriterRun(WriterProcess process, ProcessContext context, Thread thread) {

    /** The minimum number of checks for lost holds in the time of one lease. */
    private static final int LOOKS = 20;

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /**
     * The number of equal parts of the grace period. The holders have one part to close their holds. The release of the
     * remaining holds may use another part.
     */
    private static final int PART = 3;

    /**
     * The objects that all incarnations of a writer share.
     *
     * @param processes the store of process documents; this store has its own connections, so that no other request can
     *     delay a heartbeat
     */
    record Ground(WriterSettings settings, LockBooks stores, ProcessStore processes, Time time, Executor threads) {}

    /**
     * Starts an incarnation. Returns when the process document of the incarnation exists. If Elasticsearch acknowledges
     * the document late, other processes may see the document much earlier than this process assumes. In this case,
     * this method starts another incarnation with a new process id.
     *
     * @param closing the signal that ends the attempts
     * @throws NoAnswerException if Elasticsearch refuses the credentials of this process
     * @throws IllegalStateException if {@code closing} was requested
     */
    static WriterRun begin(Ground ground, StopSignal closing) {
        Backoff backoff = Backoff.Factory.jittered(ground.time()).begin("the process document");
        Lease lease = ground.settings().lease();
        while (!closing.isRequested()) {
            ProcessId id = ProcessId.create(ground.settings().service());
            Instant startedAt = ground.time().now();
            long sentNanos = ground.time().nanos();
            try {
                Heartbeat heartbeat = Heartbeat.beginHere(
                        ground.processes(), id, ground.settings().service(), lease, startedAt);
                StopSignal stop = new StopSignal();
                Incarnation incarnation = new Incarnation(heartbeat, lease, ground.time(), stop, beatNanos -> {});
                // the incarnation measures its lease from the answer; other processes may measure the lease from the
                // time of the request
                if (ground.time().nanos() - sentNanos <= lease.heartbeatEvery().toNanos()) {
                    return live(ground, heartbeat, incarnation, stop);
                }
                heartbeat.stop();
            } catch (NoAnswerException e) {
                if (e.isAuthenticationFailure()) {
                    throw e;
                }
                backoff.pauseAfter(e);
            }
        }
        throw new IllegalStateException("this TreeLocks object is closed; create a new object");
    }

    private static WriterRun live(Ground ground, Heartbeat heartbeat, Incarnation incarnation, StopSignal stop) {
        WriterSettings settings = ground.settings();
        ProcessContext context = new ProcessContext(
                heartbeat.processId().text(),
                ground.time(),
                Backoff.Factory.jittered(ground.time()),
                settings.lockWait(),
                2,
                stop);
        WriterProcess process = new WriterProcess(new WriteLocks(ground.stores(), context), context, ground.threads());
        Thread thread = Thread.ofPlatform().name("tree-locks").daemon().start(() -> {
            try {
                var unused = incarnation.live(() -> watch(process, context, settings), settings.grace());
            } finally {
                // requests in progress must not write any more, because other processes may release their locks from
                // now on
                stop.abandon();
            }
        });
        return new WriterRun(process, context, thread);
    }

    private static void watch(WriterProcess process, ProcessContext context, WriterSettings settings) {
        Duration share = settings.lease().length().dividedBy(LOOKS);
        Duration every = share.compareTo(LOOK_EVERY) < 0 ? share : LOOK_EVERY;
        while (!context.stop().isRequested()) {
            process.watch();
            context.time().pause(every);
        }
        process.end(settings.grace().dividedBy(PART));
    }

    /** Returns whether this incarnation was fenced or has ended. */
    boolean isOver() {
        return context.stop().isAbandoned();
    }

    /** Ends this incarnation. Returns when the incarnation has ended, or after the grace period and one lease. */
    void end(WriterSettings settings) {
        context.stop().request();
        try {
            if (!thread.join(settings.grace().plus(settings.lease().length()))) {
                context.stop().abandon();
            }
        } catch (InterruptedException e) {
            context.stop().abandon();
            Thread.currentThread().interrupt();
        }
    }
}
