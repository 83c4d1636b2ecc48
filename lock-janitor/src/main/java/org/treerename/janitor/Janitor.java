package org.treerename.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.JournalCleanup;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.journal.Journal;
import org.treerename.journal.State;
import org.treerename.observe.Spans;
import org.treerename.process.ProcessContext;

/**
 * Runs the ticks of a janitor. Each tick detects dead processes, and begins to take over every open rename whose process
 * is not live. After each {@link JanitorSettings#sweepEvery}, a tick begins to sweep the lock tables ({@link Sweep}).
 * After each {@link JanitorSettings#cleanupEvery}, it begins to delete old process documents and journal entries. After
 * each {@link JanitorSettings#parkedEvery}, it begins to retry the parked renames.
 *
 * <p>Any number of janitors may run; there is no leader. One thread runs the ticks, and itself only detects dead
 * processes. Every other step, and each rename that is taken over, runs on its own thread ({@link TakeOvers}). Any
 * thread may {@linkplain #retryParked request} a retry of one parked rename.
 */
public final class Janitor {

    /**
     * The objects that a tick calls.
     *
     * @param ticked the callback at the end of each tick
     */
    public record Tools(
            DeathWatch watch, Journal journal, RollForward rollForward, Cleanup cleanup, Spans spans, Runnable ticked) {

        /** Creates tools without traces and without a callback at the end of each tick. */
        public Tools(DeathWatch watch, Journal journal, RollForward rollForward, Cleanup cleanup) {
            this(watch, journal, rollForward, cleanup, Spans.none(), () -> {});
        }
    }

    /** The objects that delete unneeded locks, process documents and journal entries. */
    public record Cleanup(Sweep sweep, ProcessCleanup processes, JournalCleanup journal) {}

    /** The least time between the beginnings of two sweeps, as a multiple of the time that the last sweep took. */
    private static final int BETWEEN_SWEEPS = 3;

    /** The longest time between the end of a sweep and the next one. A dead hold can block requests for this time. */
    private static final Duration LONGEST_BETWEEN_SWEEPS = Duration.ofSeconds(30);

    private final Tools tools;
    private final ProcessContext context;
    private final JanitorSettings settings;
    private final TakeOvers takeOvers;
    private long sweptNanos;
    private volatile long sweepNanos;
    private long cleanedNanos;
    private long triedParkedNanos;

    Janitor(Tools tools, ProcessContext context, JanitorSettings settings) {
        this(tools, context, settings, Executors.newVirtualThreadPerTaskExecutor());
    }

    /** @param threads the executor, which starts each task at once on a new thread */
    public Janitor(Tools tools, ProcessContext context, JanitorSettings settings, Executor threads) {
        this.tools = tools;
        this.context = context;
        this.settings = settings;
        this.takeOvers = new TakeOvers(tools.spans(), context, threads);
        this.sweptNanos = context.time().nanos();
        this.cleanedNanos = context.time().nanos();
        this.triedParkedNanos = context.time().nanos();
    }

    /**
     * Runs ticks until the process receives a stop request. After this request, waits until no rename is in progress. A
     * fenced process does not wait, because another janitor takes over its renames.
     */
    public void run() {
        while (!context.stop().isRequested()) {
            long begun = context.time().nanos();
            tick();
            Duration left = settings.tick().minusNanos(context.time().nanos() - begun);
            if (left.isPositive()) {
                context.time().pause(left);
            }
        }
        while (!context.stop().isAbandoned() && !takeOvers.isIdle()) {
            context.time().pause(settings.tick());
        }
    }

    /**
     * Runs one tick. Only the check of processes runs on the thread of the ticks, so no other step delays the detection
     * of a dead process. Every other step runs on its own thread, and is not begun again while it runs.
     */
    void tick() {
        TakeOvers.attempt("the check of processes", tools.watch()::poll);
        takeOvers.runAside("the take-over", this::takeOver);
        long now = context.time().nanos();
        if (now - sweptNanos >= betweenSweepsNanos()) {
            sweptNanos = now;
            takeOvers.runAside("the sweep", this::sweep);
        }
        if (now - cleanedNanos >= settings.cleanupEvery().toNanos()) {
            cleanedNanos = now;
            takeOvers.runAside("the process cleanup", tools.cleanup().processes()::deleteOldProcesses);
            takeOvers.runAside("the journal cleanup", this::expire);
        }
        if (now - triedParkedNanos >= settings.parkedEvery().toNanos()) {
            triedParkedNanos = now;
            takeOvers.runAside(
                    "the retry of parked renames",
                    () -> begin(tools.journal().in(EnumSet.of(State.PARKED)), tools.rollForward()::ofParked));
        }
        takeOvers.runAside("the read of the journal metrics", tools.ticked());
    }

    private long betweenSweepsNanos() {
        long apart = Math.min(sweepNanos * BETWEEN_SWEEPS, sweepNanos + LONGEST_BETWEEN_SWEEPS.toNanos());
        return Math.max(settings.sweepEvery().toNanos(), apart);
    }

    private void takeOver() {
        Set<State> states = State.needingOwner();
        Set<String> ended = tools.rollForward().ended(tools.journal().owners(states));
        if (!ended.isEmpty()) {
            begin(tools.journal().in(states, ended), tools.rollForward()::ofDead);
        }
    }

    private void begin(List<String> requestIds, Function<String, Result> takeOver) {
        requestIds.forEach(id -> takeOvers.begin(id, () -> takeOver.apply(id)));
    }

    private void sweep() {
        long begun = context.time().nanos();
        tools.cleanup().sweep().sweep();
        sweepNanos = context.time().nanos() - begun;
    }

    /**
     * Begins to retry a parked rename now, on a new thread. If the retry throws an exception, the future fails with
     * this exception.
     *
     * @return the future of the result; empty if this janitor is already processing the rename, or is stopping. The
     *     future may never complete if the janitor stops later
     */
    Optional<Future<Result>> retryParked(String requestId) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        Supplier<Result> retry = () -> {
            try {
                Result reached = tools.rollForward().ofParked(requestId);
                result.complete(reached);
                return reached;
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
                throw e;
            }
        };
        return !context.stop().isRequested() && takeOvers.begin(requestId, retry)
                ? Optional.of(result)
                : Optional.empty();
    }

    private void expire() {
        JournalCleanup journal = tools.cleanup().journal();
        Optional<Instant> limit = journal.limit();
        if (limit.isPresent()) {
            journal.notDelivered(limit.get())
                    .forEach(id ->
                            takeOvers.runHere(id, () -> tools.rollForward().ofNotDelivered(id, limit.get())));
            journal.recreated(limit.get())
                    .forEach(id ->
                            takeOvers.runHere(id, () -> tools.rollForward().ofMadeAgain(id, limit.get())));
            journal.deleteClosed(limit.get());
        }
    }
}
