package org.treerename.worker;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.treerename.rename.Delivery;
import org.treerename.rename.Predecessors;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.RetryLimit;
import org.treerename.rename.Stores;
import org.treerename.runtime.Watchdog;
import org.treerename.wire.JsonOutcomeCodec;

/**
 * Takes requests out of the log and carries each of them to its end. The process, its heartbeat, the clients of the servers
 * and the threads belong to the caller.
 */
public final class Worker {

    private final RequestLoop loop;
    private final DependencyQueue dependencies;
    private final Watchdog watchdog;

    /**
     * The servers as the worker reaches them, and the process that it is part of.
     *
     * @param consumer of the requests; the worker closes it
     * @param watchdog watches each request that is carried, and each look
     */
    public record Tools(
            Consumer<byte[], byte[]> consumer,
            Stores stores,
            ProcessContext context,
            RetryLimit tries,
            Watchdog watchdog,
            DeadLetters deadLetters) {}

    /**
     * What a worker takes on.
     *
     * @param afterTimeout how long a request waits for an entry of one that it is to come after
     * @param gone whether no request may begin now
     */
    public record Limits(Duration afterTimeout, ConsumerLimits window, BooleanSupplier gone) {}

    /** Starts a thread. */
    public interface Threads {
        void start(String name, Runnable work);
    }

    /**
     * Who else takes part in the work.
     *
     * @param carrying goes around the carrying of each delivery
     * @param beforeOffset runs just before each commit of offsets
     * @param rounds receives the reading of each round
     */
    public record Hooks(
            UnaryOperator<Function<Delivery, Answer>> carrying,
            Runnable beforeOffset,
            java.util.function.Consumer<LoopReading> rounds) {}

    /** Creates a worker that has joined no consumer group yet. */
    public Worker(Tools tools, Limits limits, Threads threads, Hooks hooks) {
        ProcessContext context = tools.context();
        Stores stores = tools.stores();
        Renamer renamer = new Renamer(stores, new JsonOutcomeCodec(), context);
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
                poller,
                dependencies,
                new RequestLoop.Tools(
                        stores.namespaces()::known,
                        new RequestLoop.Carrying(
                                stop -> hooks.carrying().apply(watched(tools, renamer.stoppedBy(stop))),
                                new RecordHandler(tools.deadLetters(), context),
                                (taken, request) -> threads.start("rename-" + taken, request)),
                        new RequestLoop.Limits(context.stop(), limits.window(), limits.gone()),
                        new RequestLoop.Observers(hooks.beforeOffset(), hooks.rounds()),
                        context.time()));
    }

    /** A request waits for a parked one as long as for locks. */
    private static DependencyCheck.Patience patience(Limits limits, ProcessContext context) {
        return new DependencyCheck.Patience(limits.afterTimeout(), context.lockWait());
    }

    private static Function<Delivery, Answer> watched(Tools tools, Renamer renamer) {
        return delivery -> tools.watchdog().watch(() -> tools.tries().run(renamer, delivery));
    }

    /**
     * Runs until the process is asked to stop; what has begun by then is ended or given back. Meanwhile another thread calls
     * {@link #look} or {@link #awaitAndLook}.
     *
     * @throws org.treerename.store.RefusedException if Kafka does not let it in, or to the topic, or into the group
     */
    public void run() {
        loop.run();
    }

    /** How often to look while a request waits for others. */
    public static Duration lookEvery() {
        return DependencyQueue.TICK;
    }

    /** Whether a request waits for others. */
    public boolean holdsAnyBack() {
        return dependencies.size() > 0;
    }

    /** Looks whether those have ended for which requests wait. */
    public void look() {
        watchdog.watch(dependencies::look);
    }

    /** {@link #look}, but where no request waits not before one does, or half a second is over. */
    public void awaitAndLook() {
        dependencies.awaitSome(DependencyQueue.IDLE);
        look();
    }
}
