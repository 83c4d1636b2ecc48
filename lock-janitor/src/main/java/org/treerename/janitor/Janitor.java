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
import org.treerename.process.DeathWatch;
import org.treerename.process.FencedException;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalCleanup;
import org.treerename.rename.LogContext;
import org.treerename.rename.ProcessCleanup;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.RollForward;
import org.treerename.rename.RollForward.Result;
import org.treerename.rename.State;
import org.treerename.rename.Sweep;
import org.treerename.store.NoAnswerException;
import org.treerename.trace.Spans;

/**
 * What a janitor does, tick by tick: judges who is dead, takes over every open rename whose process is not live, and now and
 * then sweeps the lock tables, deletes old process documents and journal entries, and tries parked renames again. Any
 * number of janitors may run; none leads. One thread ticks; each rename is carried on a thread of its own, {@value
 * #CARRIED_AT_ONCE} of them at once, so that a long one holds nothing up, and so are the old entries.
 */
public final class Janitor {

    private static final Logger log = LoggerFactory.getLogger(Janitor.class);

    /**
     * What a janitor works with.
     *
     * @param ticked called at the end of each tick
     */
    public record Tools(
            DeathWatch watch,
            Journal journal,
            RollForward rollForward,
            Sweep sweep,
            ProcessCleanup retention,
            JournalCleanup expiry,
            Spans spans,
            Runnable ticked) {

        /** Of whose renames no trace is told, and nobody of its ticks. */
        public Tools(
                DeathWatch watch,
                Journal journal,
                RollForward rollForward,
                Sweep sweep,
                ProcessCleanup retention,
                JournalCleanup expiry) {
            this(watch, journal, rollForward, sweep, retention, expiry, Spans.none(), () -> {});
        }
    }

    /** So that ten thousand open renames, most of them of live processes, do not become as many requests at once. */
    static final int CARRIED_AT_ONCE = 64;

    private static final String THE_EXPIRY = "the expiry";

    private final Tools tools;
    private final ProcessContext context;
    private final JanitorSettings settings;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final Semaphore carriable = new Semaphore(CARRIED_AT_ONCE);
    private final Executor threads;
    private long sweptNanos;
    private long triedParkedNanos;

    Janitor(Tools tools, ProcessContext context, JanitorSettings settings) {
        this(tools, context, settings, Executors.newVirtualThreadPerTaskExecutor());
    }

    /**
     * @param threads begins each task it is given at once, on a thread of its own
     */
    public Janitor(Tools tools, ProcessContext context, JanitorSettings settings, Executor threads) {
        this.tools = tools;
        this.context = context;
        this.settings = settings;
        this.threads = threads;
        this.sweptNanos = context.time().nanos();
        this.triedParkedNanos = context.time().nanos();
    }

    /** Ticks until the process is asked to stop; what is under way then is ended, or left to the next janitor. */
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

    /** One look at everything. */
    void tick() {
        attempt("the watch", tools.watch()::look);
        attempt(
                "the take-over",
                () -> tools.journal()
                        .in(State.needingOwner())
                        .forEach(id -> carryOn(id, () -> tools.rollForward().ofDead(id))));
        long now = context.time().nanos();
        if (now - sweptNanos >= settings.sweepEvery().toNanos()) {
            sweptNanos = now;
            attempt("the sweep", tools.sweep()::sweep);
            attempt("the old processes", tools.retention()::deleteOldProcesses);
            aside(THE_EXPIRY, this::expire);
        }
        if (now - triedParkedNanos >= settings.parkedEvery().toNanos()) {
            triedParkedNanos = now;
            attempt(
                    "the parked renames",
                    () -> tools.journal()
                            .in(EnumSet.of(State.PARKED))
                            .forEach(id -> carryOn(id, () -> tools.rollForward().ofParked(id))));
        }
        attempt("the outlook", tools.ticked());
    }

    private void expire() {
        Optional<Instant> limit = tools.expiry().limit();
        if (limit.isPresent()) {
            tools.expiry().deleteClosed(limit.get());
            tools.expiry()
                    .notDelivered(limit.get())
                    .forEach(id -> carryHere(id, () -> tools.rollForward().ofNotDelivered(id, limit.get())));
            tools.expiry()
                    .madeAgain(limit.get())
                    .forEach(id -> carryHere(id, () -> tools.rollForward().ofMadeAgain(id)));
        }
    }

    /** On this thread, unless it is under way. */
    private void carryHere(String requestId, Supplier<Result> carrying) {
        String name = nameOf(requestId);
        if (underWay.add(name)) {
            carried(name, () -> telling(requestId, limited(false, carrying(name, carrying))));
        }
    }

    private void carryOn(String requestId, Supplier<Result> carrying) {
        String name = nameOf(requestId);
        if (underWay.add(name)) {
            Runnable step = limited(carriable.tryAcquire(), carrying(name, carrying));
            threads.execute(() -> carried(name, () -> telling(requestId, step)));
        }
    }

    /** Every line that is logged meanwhile tells of which rename it is. */
    private void telling(String requestId, Runnable step) {
        try (LogContext logContext = LogContext.of(context.processId(), requestId, null)) {
            attempt(nameOf(requestId), step);
        }
    }

    /** No other step's name, whatever the request id is. */
    private static String nameOf(String requestId) {
        return "request " + requestId;
    }

    private Runnable carrying(String name, Supplier<Result> carrying) {
        return () -> {
            Result result = tools.spans().takingOver(context.processId(), carrying);
            if (result != Result.LEFT_ALONE) {
                log.info("{}: {}", name, result);
            }
        };
    }

    /**
     * One of so many at once. What has to wait is not begun once the process is to stop.
     *
     * @param isAdmitted whether it has its place already
     */
    private Runnable limited(boolean isAdmitted, Runnable step) {
        return () -> {
            if (!isAdmitted) {
                carriable.acquireUninterruptibly();
            }
            try {
                if (isAdmitted || !context.stop().isRequested()) {
                    step.run();
                }
            } finally {
                carriable.release();
            }
        };
    }

    /** On a thread of its own, unless it is under way. */
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

    private static void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e)).log("{} is left to the next tick: {}", what, e.getMessage());
        } catch (FencedException e) {
            log.warn("{} is left to the next tick: {}", what, e.getMessage());
        } catch (RuntimeException e) {
            log.error("{} failed; the next tick tries again", what, e);
        }
    }
}
