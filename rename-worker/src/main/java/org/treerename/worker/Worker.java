package org.treerename.worker;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.treerename.journal.Delivery;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.rename.Stores;
import org.treerename.runtime.Watchdog;

/**
 * Reads requests from Kafka and processes each request completely. The caller owns the process, its heartbeat, the
 * clients of the servers, and the threads.
 */
public final class Worker {

    private final RequestLoop loop;
    private final DependencyQueue dependencies;
    private final Watchdog watchdog;

    /**
     * The access to the servers, and the process to which the worker belongs.
     *
     * @param consumer the consumer of the requests; the worker closes it
     * @param topic the topic of the requests
     * @param watchdog monitors each request in progress and each check of predecessors
     */
    public record Tools(
            Consumer<byte[], byte[]> consumer,
            String topic,
            Stores stores,
            ProcessContext context,
            RetryLimit tries,
            Watchdog watchdog,
            DeadLetters deadLetters) {}

    /**
     * The limits of a worker.
     *
     * @param afterTimeout the maximum time for which a request waits for a predecessor that has no journal entry, or
     *     that waits for its next delivery
     * @param gone whether no request may begin now
     */
    public record Limits(Duration afterTimeout, ConsumerLimits window, BooleanSupplier gone) {}

    /** Starts a thread. */
    public interface Threads {
        void start(String name, Runnable work);
    }

    /**
     * The hooks that the caller adds to a worker.
     *
     * @param processing decorates the function that processes each delivery
     * @param beforeOffset the callback before each commit of offsets
     * @param rounds the callback that receives the reading of each round
     */
    public record Hooks(
            UnaryOperator<Function<Delivery, Answer>> processing,
            Runnable beforeOffset,
            java.util.function.Consumer<LoopReading> rounds) {}

    /** Creates a worker that joins its consumer group in {@link #run}. */
    public Worker(Tools tools, Limits limits, Threads threads, Hooks hooks) {
        ProcessContext context = tools.context();
        Stores stores = tools.stores();
        Renamer renamer = new Renamer(stores, context);
        Poller poller = new Poller(tools.consumer());
        this.dependencies = new DependencyQueue(
                new Predecessors(stores.journal()),
                context.time(),
                patience(limits, context),
                limits.gone(),
                poller::wake);
        this.watchdog = tools.watchdog();
        this.loop = new RequestLoop(
                tools.consumer(),
                tools.topic(),
                poller,
                dependencies,
                new RequestLoop.Tools(
                        stores.namespaces()::known,
                        new RequestLoop.Processing(
                                stop -> hooks.processing().apply(watched(tools, renamer.stoppedBy(stop))),
                                new RecordHandler(tools.deadLetters(), context),
                                (received, request) -> threads.start("rename-" + received, request)),
                        new RequestLoop.Limits(context.stop(), limits.window(), limits.gone()),
                        new RequestLoop.Observers(hooks.beforeOffset(), hooks.rounds()),
                        context.time()));
    }

    private static DependencyCheck.Patience patience(Limits limits, ProcessContext context) {
        return new DependencyCheck.Patience(limits.afterTimeout(), context.lockWait());
    }

    private static Function<Delivery, Answer> watched(Tools tools, Renamer renamer) {
        return delivery -> tools.watchdog().watch(() -> tools.tries().runWhenKnown(renamer, delivery));
    }

    /**
     * Runs until the process receives a stop request. After the stop request, each request in progress ends, or its
     * locks are released and Kafka delivers the request again. During this call, another thread must call {@link #poll}
     * or {@link #awaitAndPoll} repeatedly.
     *
     * @throws org.treerename.store.RefusedException if Kafka denies the connection, the topic or the consumer group
     */
    public void run() {
        loop.run();
    }

    /** Returns the interval between calls of {@link #poll} while a request waits for its predecessors. */
    public static Duration pollEvery() {
        return DependencyQueue.TICK;
    }

    /** Returns whether a request waits for its predecessors. */
    public boolean holdsAnyBack() {
        return dependencies.size() > 0;
    }

    /** Checks whether the predecessors of waiting requests have ended. */
    public void poll() {
        watchdog.watch(dependencies::poll);
    }

    /** Blocks until a request waits for its predecessors, or for half a second. Then calls {@link #poll}. */
    public void awaitAndPoll() {
        dependencies.awaitSome(DependencyQueue.IDLE);
        poll();
    }
}
