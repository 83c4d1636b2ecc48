package org.treerename.writer;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import org.treerename.process.Heartbeat;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.LockBooks;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.WriteLocks;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/** One incarnation of a program that writes, with its heartbeat and the thread that watches over its holds. */
record WriterRun(WriterProcess process, ProcessContext context, Thread thread) {

    /** How often in a lease it is looked at least whether holds are lost. */
    private static final int LOOKS = 20;

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** What the end of one may take of its grace at most: the holders' own time, and as long again. */
    private static final int PART = 3;

    /**
     * Where an incarnation begins.
     *
     * @param processes with connections of its own, so that nothing can hold a heartbeat up
     */
    record Ground(WriterSettings settings, LockBooks stores, ProcessStore processes, Time time, Executor threads) {}

    /**
     * Comes back when its process document is there. An answer that took long says too little of when others have seen the
     * document first; then it begins once more, under another id.
     *
     * @param closing ends the trying
     * @throws NoAnswerException if Elasticsearch does not let this process in
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
                // it counts its lease from before this, others perhaps from the sending
                if (ground.time().nanos() - sentNanos <= lease.heartbeatEvery().toNanos()) {
                    return live(ground, heartbeat, incarnation, stop);
                }
                heartbeat.stop();
            } catch (NoAnswerException e) {
                if (e.isNotLetIn()) {
                    throw e;
                }
                backoff.pauseAfter(e);
            }
        }
        throw new IllegalStateException("the tree locks are closed");
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
                // what is on its way yet is others' business now
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

    /** Whether it is taken for dead. */
    boolean isOver() {
        return context.stop().isAbandoned();
    }

    /** Comes back when it has ended, or when that takes too long. */
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
