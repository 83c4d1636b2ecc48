package org.treerename.writer;

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
import org.treerename.process.FencedException;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.WriteLocks;
import org.treerename.rename.WriteLocks.Taken;
import org.treerename.rename.WriteTarget;
import org.treerename.runtime.StopSignal;

/**
 * One incarnation of a program that writes, and all that it holds. It vouches for its holds while nobody can have taken it for
 * dead: not in doubt of its own lease, not asked to stop, not fenced. Any thread may call it, and somebody calls {@link #watch}
 * often.
 */
public final class WriterProcess {

    /** How long the closing of a hold waits for its locks to be given back. */
    static final Duration CLOSING = Duration.ofSeconds(5);

    private static final Duration LOOK_EVERY = Duration.ofMillis(5);
    private static final Logger log = LoggerFactory.getLogger(WriterProcess.class);

    private final WriteLocks locks;
    private final ProcessContext context;
    private final Executor threads;
    private final Set<WriteHold> open = ConcurrentHashMap.newKeySet();

    /**
     * @param context whose stop signal says whether it is in doubt, to stop, or fenced
     * @param threads begins each task it is given at once, on a thread of its own
     */
    public WriterProcess(WriteLocks locks, ProcessContext context, Executor threads) {
        this.locks = locks;
        this.context = context;
        this.threads = threads;
    }

    /**
     * Takes the locks; waits for those that others hold.
     *
     * @param stop a part of this process's own; ends the waiting
     * @throws LockedException if others held them for longer
     * @throws FencedException if others have taken this process for dead
     * @throws IllegalStateException if it was to stop
     */
    public WriteHold take(WriteTarget writeTarget, Duration lockWait, StopSignal stop) {
        return switch (locks.take(writeTarget, lockWait, stop)) {
            case Taken.Held held -> held(new WriteHold(this, writeTarget, held.entry()), stop);
            case Taken.Locked locked ->
                throw new LockedException(
                        "waited " + lockWait.toMillis() + " ms to write into " + writeTarget + ": " + locked.blocker());
            case Taken.Stopped stopped -> throw stopped(writeTarget);
            case Taken.Lost lost -> throw new FencedException("the locks for writing into " + writeTarget);
        };
    }

    /**
     * Returns a hold only while this process vouches for it. A process that stood still during the acquisition first learns
     * whether it was fenced meanwhile; then others have released the locks, or will.
     */
    private WriteHold held(WriteHold hold, StopSignal stop) {
        context.beforeWriting("the hold " + hold);
        open.add(hold);
        if (stop.isRequested()) {
            hold.close();
            throw stopped(hold);
        }
        return hold;
    }

    private static IllegalStateException stopped(Object what) {
        return new IllegalStateException("was to stop before it had the locks: " + what);
    }

    boolean vouches() {
        StopSignal stop = context.stop();
        return !stop.isHeld() && !stop.isRequested();
    }

    /** Tells the holders of what is lost. */
    public void watch() {
        if (!vouches()) {
            open.forEach(WriteHold::lose);
        }
    }

    void lost(WriteHold hold) {
        log.warn("{} of {} is lost: its holder must stop writing", hold, context.processId());
    }

    void tell(Runnable callback) {
        Runnable telling = () -> {
            try {
                callback.run();
            } catch (RuntimeException e) {
                log.error("somebody who was told of a loss failed", e);
            }
        };
        try {
            threads.execute(telling);
        } catch (RejectedExecutionException e) {
            // this process has ended, and somebody asks only now
            var unused = Thread.ofVirtual().name("tree-locks-loss").start(telling);
        }
    }

    /** Comes back when it is given back, or after that long; then it is given back all the same, as soon as it can be. */
    void giveBack(WriteHold hold, Duration longest) {
        if (context.stop().isAbandoned()) {
            open.remove(hold);
            return;
        }
        CompletableFuture<Void> given = CompletableFuture.runAsync(() -> giveBack(hold), threads);
        try {
            given.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.warn("{} is not given back yet", hold);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void giveBack(WriteHold hold) {
        try {
            locks.giveBack(hold.entry());
        } catch (FencedException e) {
            log.info("{} is given back by others: {}", hold, e.getMessage());
        } catch (RuntimeException e) {
            log.error("{} cannot be given back: this process stops, and a janitor does it", hold, e);
            context.stop().request();
        } finally {
            open.remove(hold);
        }
    }

    /**
     * The end of this process, once it is to stop: all its holds are lost. Who does not close his own in time has it given back
     * for him.
     *
     * @param leave for the holders, and once more for what is left
     */
    void end(Duration leave) {
        open.forEach(WriteHold::lose);
        awaitNone(leave);
        if (!context.stop().isAbandoned()) {
            open.stream().filter(WriteHold::begunClosing).forEach(hold -> threads.execute(() -> giveBack(hold)));
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
