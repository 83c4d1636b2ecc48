package org.treerename.producer.writer;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.WriteTarget;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.producer.writer.WriteLocks.Taken;
import org.treerename.runtime.StopSignal;

/**
 * Acquires and releases the holds of one incarnation of a writer. The holds are valid while the lease of the process is
 * not in doubt, no stop was requested, and the process is not fenced. Any thread may call this class. The thread of
 * {@link WriterRun} calls {@link #watch} repeatedly.
 */
public final class WriterProcess {

    /** The longest time that the close of a hold waits for the release of its locks. */
    static final Duration CLOSING = Duration.ofSeconds(5);

    private static final Duration LOOK_EVERY = Duration.ofMillis(5);
    private static final Logger log = LoggerFactory.getLogger(WriterProcess.class);

    private final WriteLocks locks;
    private final ProcessContext context;
    private final Executor threads;
    private final Set<WriteHold> open = ConcurrentHashMap.newKeySet();

    /**
     * @param context the context; its stop signal shows whether the lease is in doubt, a stop was requested, or the
     *     process is fenced
     * @param threads an executor that starts each task at once, on a separate thread
     */
    public WriterProcess(WriteLocks locks, ProcessContext context, Executor threads) {
        this.locks = locks;
        this.context = context;
        this.threads = threads;
    }

    /**
     * Acquires the locks for writing into directories. Waits for locks that other requests hold.
     *
     * @param lockWait the longest time to wait
     * @param stop a part of the stop signal of this process; a stop request ends the wait
     * @throws LockedException if other requests held the locks for longer than the lock wait
     * @throws FencedException if this process was fenced
     * @throws IllegalStateException if a stop was requested
     */
    public WriteHold take(WriteTarget writeTarget, Duration lockWait, StopSignal stop) {
        return switch (locks.take(writeTarget, lockWait, stop)) {
            case Taken.Held held -> held(new WriteHold(this, writeTarget, held.entry()), writeTarget, stop);
            case Taken.Locked locked ->
                throw new LockedException("waited " + lockWait.toMillis() + " ms for the locks to write into "
                        + writeTarget + ": " + locked.blocker());
            case Taken.Stopped stopped -> throw stopped(writeTarget);
            case Taken.Lost lost -> throw new FencedException("the locks to write into " + writeTarget);
        };
    }

    /**
     * If the lease is in doubt after the acquisition, blocks until a heartbeat is acknowledged or the process is
     * fenced. If the process is fenced, other processes release the locks.
     */
    private WriteHold held(WriteHold hold, WriteTarget writeTarget, StopSignal stop) {
        context.beforeWriting("the hold " + hold);
        open.add(hold);
        if (stop.isRequested()) {
            hold.close();
            throw stopped(writeTarget);
        }
        return hold;
    }

    private static IllegalStateException stopped(WriteTarget writeTarget) {
        return new IllegalStateException(
                "a stop was requested, so this process does not hold the locks to write into " + writeTarget);
    }

    boolean isLeaseCertain() {
        StopSignal stop = context.stop();
        return !stop.isHeld() && !stop.isRequested();
    }

    /** Marks all holds as lost if they are not valid any more, and then calls the callbacks of their holders. */
    public void watch() {
        if (!isLeaseCertain()) {
            open.forEach(WriteHold::lose);
        }
    }

    void lost(WriteHold hold) {
        log.warn(
                "process {}: hold {} is lost, because the lease is in doubt or the process stops; the holder of the"
                        + " lock must stop writing",
                context.processId(),
                hold);
    }

    void report(Runnable callback) {
        Runnable task = () -> {
            try {
                callback.run();
            } catch (RuntimeException e) {
                log.error("a callback for the loss of a hold failed; its holder may still write without the lock", e);
            }
        };
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            // the callback was registered after the end of this process
            var unused = Thread.ofVirtual().name("tree-locks-loss").start(task);
        }
    }

    /**
     * Releases a hold. Waits for the release, but not longer than the given time. After this time, the release
     * continues on another thread.
     */
    void release(WriteHold hold, Duration longest) {
        if (context.stop().isAbandoned()) {
            open.remove(hold);
            return;
        }
        CompletableFuture<Void> release = CompletableFuture.runAsync(() -> release(hold), threads);
        try {
            release.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.warn("hold {}: not released after {} ms; the release continues", hold, longest.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void release(WriteHold hold) {
        try {
            locks.release(hold.entry());
        } catch (FencedException e) {
            log.info(
                    "hold {}: not released by this process: {}; other processes release the hold",
                    hold,
                    e.getMessage());
        } catch (RuntimeException e) {
            log.error("hold {}: the release failed; this process stops and a janitor releases the hold", hold, e);
            context.stop().request();
        } finally {
            open.remove(hold);
        }
    }

    /**
     * Ends this process after a stop request. Marks all holds of the process as lost. If a holder does not close its
     * hold in time, this method releases the hold.
     *
     * @param leave the time in which the holders may close their holds; the release of the remaining holds may take the
     *     same time again
     */
    void end(Duration leave) {
        open.forEach(WriteHold::lose);
        awaitNone(leave);
        if (!context.stop().isAbandoned()) {
            open.stream().filter(WriteHold::begunClosing).forEach(hold -> threads.execute(() -> release(hold)));
            awaitNone(leave);
        }
    }

    private void awaitNone(Duration longest) {
        long begun = context.time().nanos();
        while (!open.isEmpty()
                && !context.stop().isAbandoned()
                && context.time().nanos() - begun < longest.toNanos()) {
            context.time().pause(LOOK_EVERY);
        }
    }
}
