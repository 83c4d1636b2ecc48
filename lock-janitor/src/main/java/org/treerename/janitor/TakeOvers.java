package org.treerename.janitor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.observe.LogContext;
import org.treerename.observe.Spans;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.store.NoAnswerException;

/**
 * Processes the renames that a janitor takes over, each on its own thread. Two threads never process the same rename at
 * the same time. This class also runs the other steps of a janitor on their own threads. If a step fails, the failure
 * is logged, and the other steps still run.
 */
final class TakeOvers {

    private static final Logger log = LoggerFactory.getLogger(TakeOvers.class);

    private final Spans spans;
    private final ProcessContext context;
    private final Executor threads;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    /** @param threads the executor, which starts each task at once on a new thread */
    TakeOvers(Spans spans, ProcessContext context, Executor threads) {
        this.spans = spans;
        this.context = context;
        this.threads = threads;
    }

    /** Returns whether no step is running. */
    boolean isIdle() {
        return underWay.isEmpty();
    }

    /** Processes a rename on this thread, unless another thread is already processing it. */
    void runHere(String requestId, Supplier<Result> takeOver) {
        String name = nameOf(requestId);
        if (underWay.add(name)) {
            runAndRemove(name, () -> withLogContext(requestId, logged(name, takeOver)));
        }
    }

    /**
     * Processes a rename on a new thread, unless another thread is already processing it.
     *
     * @return whether a new thread was started
     */
    boolean begin(String requestId, Supplier<Result> takeOver) {
        String name = nameOf(requestId);
        boolean isNew = underWay.add(name);
        if (isNew) {
            Runnable step = logged(name, takeOver);
            threads.execute(() -> runAndRemove(name, () -> withLogContext(requestId, step)));
        }
        return isNew;
    }

    private void withLogContext(String requestId, Runnable step) {
        try (LogContext logContext = LogContext.of(context.processId(), requestId, null)) {
            attempt(nameOf(requestId), step);
        }
    }

    /** Returns the name of the step that processes a request. The name is different for each request id. */
    private static String nameOf(String requestId) {
        return "the processing of request " + requestId;
    }

    private Runnable logged(String name, Supplier<Result> takeOver) {
        return () -> {
            Result result = spans.takingOver(context.processId(), takeOver);
            if (result != Result.LEFT_ALONE) {
                log.info("{}: {}", name, result);
            }
        };
    }

    /** Runs the step on a new thread, unless a step with this name is already running. */
    void runAside(String name, Runnable step) {
        if (underWay.add(name)) {
            threads.execute(() -> runAndRemove(name, step));
        }
    }

    private void runAndRemove(String name, Runnable step) {
        try {
            attempt(name, step);
        } finally {
            underWay.remove(name);
        }
    }

    /** Runs a step. If the step fails, logs the failure. */
    static void attempt(String name, Runnable step) {
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
