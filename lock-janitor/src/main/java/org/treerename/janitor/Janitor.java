package org.treerename.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.janitor.recovery.DeathWatch;
import org.treerename.janitor.recovery.JournalCleanup;
import org.treerename.janitor.recovery.ProcessCleanup;
import org.treerename.janitor.recovery.RollForward;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.janitor.recovery.Sweep;
import org.treerename.journal.Journal;
import org.treerename.journal.State;
import org.treerename.observe.LogContext;
import org.treerename.observe.Spans;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.store.NoAnswerException;

/**
 * Runs the ticks of a janitor. Each tick detects dead processes and takes over every open rename whose process is not
 * live. At longer intervals a tick also sweeps the lock tables, deletes old process documents and journal entries, and
 * tries parked renames again.
 *
 * <p>Any number of janitors may run; there is no leader. One thread runs the ticks. Each rename is processed on its own
 * thread, at most {@value #CARRIED_AT_ONCE} at once. So a long rename delays no other work. Old journal entries are
 * deleted on their own thread as well.
 */
public final class Janitor {

    private static final Logger log = LoggerFactory.getLogger(Janitor.class);

    /**
     * The tools of a janitor.
     *
     * @param ticked the callback at the end of each tick
     */
    public record Tools(
            DeathWatch watch,
            Journal journal,
            RollForward rollForward,
            Sweep sweep,
            ProcessCleanup processCleanup,
            JournalCleanup journalCleanup,
            Spans spans,
            Runnable ticked) {

        /** Creates tools without traces and without an action after each tick. */
        public Tools(
                DeathWatch watch,
                Journal journal,
                RollForward rollForward,
                Sweep sweep,
                ProcessCleanup processCleanup,
                JournalCleanup journalCleanup) {
            this(watch, journal, rollForward, sweep, processCleanup, journalCleanup, Spans.none(), () -> {});
        }
    }

    /**
     * The maximum number of renames in progress at once. Without a maximum, ten thousand open renames would send ten
     * thousand requests, most of them about renames of live processes.
     */
    static final int CARRIED_AT_ONCE = 64;

    private static final String JOURNAL_CLEANUP = "the journal cleanup";

    private final Tools tools;
    private final ProcessContext context;
    private final JanitorSettings settings;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final Semaphore places = new Semaphore(CARRIED_AT_ONCE);
    private final Executor threads;
    private long sweptNanos;
    private long triedParkedNanos;

    Janitor(Tools tools, ProcessContext context, JanitorSettings settings) {
        this(tools, context, settings, Executors.newVirtualThreadPerTaskExecutor());
    }

    /** @param threads the executor, which starts each task at once on a new thread */
    public Janitor(Tools tools, ProcessContext context, JanitorSettings settings, Executor threads) {
        this.tools = tools;
        this.context = context;
        this.settings = settings;
        this.threads = threads;
        this.sweptNanos = context.time().nanos();
        this.triedParkedNanos = context.time().nanos();
    }

    /**
     * Runs ticks until the process receives a stop request. Then it waits for the renames in progress. A fenced process does not wait: the
     * next janitor takes over its renames.
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
        while (!context.stop().isAbandoned() && !underWay.isEmpty()) {
            context.time().pause(settings.tick());
        }
    }

    /** Runs one tick. A step that fails does not prevent the other steps. */
    void tick() {
        attempt("the check of processes", tools.watch()::poll);
        attempt(
                "the take-over",
                () -> tools.journal()
                        .in(State.needingOwner())
                        .forEach(id -> carryOn(id, () -> tools.rollForward().ofDead(id))));
        long now = context.time().nanos();
        if (now - sweptNanos >= settings.sweepEvery().toNanos()) {
            sweptNanos = now;
            attempt("the sweep", tools.sweep()::sweep);
            attempt("the process cleanup", tools.processCleanup()::deleteOldProcesses);
            aside(JOURNAL_CLEANUP, this::expire);
        }
        if (now - triedParkedNanos >= settings.parkedEvery().toNanos()) {
            triedParkedNanos = now;
            attempt(
                    "the parked renames",
                    () -> tools.journal()
                            .in(EnumSet.of(State.PARKED))
                            .forEach(id -> carryOn(id, () -> tools.rollForward().ofParked(id))));
        }
        attempt("the metrics of the journal", tools.ticked());
    }

    private void expire() {
        Optional<Instant> limit = tools.journalCleanup().limit();
        if (limit.isPresent()) {
            tools.journalCleanup().deleteClosed(limit.get());
            tools.journalCleanup()
                    .notDelivered(limit.get())
                    .forEach(id -> carryHere(id, () -> tools.rollForward().ofNotDelivered(id, limit.get())));
            tools.journalCleanup()
                    .recreated(limit.get())
                    .forEach(id -> carryHere(id, () -> tools.rollForward().ofMadeAgain(id)));
        }
    }

    /** Processes a rename on this thread, unless another thread is already processing it. */
    private void carryHere(String requestId, Supplier<Result> carrying) {
        String name = nameOf(requestId);
        if (underWay.add(name)) {
            carried(name, () -> withLogContext(requestId, limited(false, carrying(name, carrying))));
        }
    }

    /** Processes a rename on a new thread, unless another thread is already processing it. */
    private void carryOn(String requestId, Supplier<Result> carrying) {
        String name = nameOf(requestId);
        if (underWay.add(name)) {
            Runnable step = limited(places.tryAcquire(), carrying(name, carrying));
            threads.execute(() -> carried(name, () -> withLogContext(requestId, step)));
        }
    }

    /** Runs the step so that each of its log lines contains the request id. */
    private void withLogContext(String requestId, Runnable step) {
        try (LogContext logContext = LogContext.of(context.processId(), requestId, null)) {
            attempt(nameOf(requestId), step);
        }
    }

    /** Returns a name of the step for a request id. No other step has this name. */
    private static String nameOf(String requestId) {
        return "request " + requestId;
    }

    /** Returns the step that processes the rename and logs its result. */
    private Runnable carrying(String name, Supplier<Result> carrying) {
        return () -> {
            Result result = tools.spans().takingOver(context.processId(), carrying);
            if (result != Result.LEFT_ALONE) {
                log.info("{}: {}", name, result);
            }
        };
    }

    /**
     * Returns a step that runs when one of the {@value #CARRIED_AT_ONCE} places is free. After a stop request, a step
     * that has waited for a place does not begin.
     *
     * @param isAdmitted whether the step already has a place
     */
    private Runnable limited(boolean isAdmitted, Runnable step) {
        return () -> {
            if (!isAdmitted) {
                places.acquireUninterruptibly();
            }
            try {
                if (isAdmitted || !context.stop().isRequested()) {
                    step.run();
                }
            } finally {
                places.release();
            }
        };
    }

    /** Runs the step on a new thread, unless a step of this name is already running. */
    private void aside(String name, Runnable step) {
        if (underWay.add(name)) {
            threads.execute(() -> carried(name, step));
        }
    }

    private void carried(String name, Runnable step) {
        try {
            attempt(name, step);
        } finally {
            underWay.remove(name);
        }
    }

    /** Runs a step and logs its failure. */
    private static void attempt(String name, Runnable step) {
        try {
            step.run();
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("{} got no answer: {}; the next tick retries", name, e.getMessage());
        } catch (FencedException e) {
            log.warn("{} has ended early: {}; another janitor continues it", name, e.getMessage());
        } catch (RuntimeException e) {
            log.error("{} failed; the next tick retries", name, e);
        }
    }
}
