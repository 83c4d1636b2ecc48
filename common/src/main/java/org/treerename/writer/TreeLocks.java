package org.treerename.writer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.process.FencedException;
import org.treerename.rename.LockBooks;
import org.treerename.rename.WriteTarget;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;

/**
 * The locks of the trees, for programs that write documents into them. While a program holds a directory for writing, no rename moves this directory or
 * a directory above it, and no rename replaces it. So no document that is written into the directory stays behind. Other writers may hold the directory
 * at the same time, and renames inside it continue. A program creates one instance and keeps it. Any thread may call it.
 *
 * <pre>{@code
 * try (TreeLocks treeLocks = TreeLocks.connect(WriterSettings.of("http://localhost:9200").withService("crawler"))) {
 *     try (WriteHold held = treeLocks.write("files", "/clinton/projects")) {
 *         held.onLoss(indexing::cancel);
 *         if (isThere("/clinton/projects")) {             // a rename may have moved it away before
 *             for (File file : files) {
 *                 if (!held.stillHeld()) {
 *                     throw new TryAgainException();      // the directory may be renamed from now on
 *                 }
 *                 index("/clinton/projects/" + file.name(), file);
 *             }
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Guarantee: from the moment at which {@link #write} returns, and while {@link WriteHold#stillHeld} returns true, no rename moves one of the named
 * directories or a directory above them, and no rename replaces one of them. Locks are granted fairly: a waiting rename has priority over writers that
 * request their locks later, and a waiting writer has priority over later renames.
 *
 * <p>It does not guarantee the following:
 *
 * <ul>
 *   <li>A directory need not exist. A program that holds it must check this, by a search after a refresh or by a read of its id in real time.
 *   <li>Directories below are not locked. A program that writes into {@code /a/b} must hold {@code /a/b}; this also protects {@code /a} from renames.
 *   <li>A write that is sent under a hold may arrive after the hold is lost. This happens if the program stops between the check and the write, or if a
 *       request needs longer than half a lease. If directories are documents, the audit finds such documents. Set the timeout of requests to less than
 *       half a lease and less than a third of the grace period: after a third of the grace period, an orderly end releases the holds that are not closed.
 *   <li>A hold must not be kept for long. Renames of the directory and of all directories above it wait meanwhile, and they fail if they wait for too
 *       long. Hold a directory for a batch of documents, not for a day and not for each document. Each hold needs three small requests and one journal
 *       entry, which is kept as long as the entry of a rename.
 * </ul>
 *
 * <p>A program that holds one directory and requests another one may wait for a rename that waits for this program, until the lock wait is over. So
 * request all directories in one call.
 *
 * <p>From the first {@link #write} on, the program is a process of its own in the control index. The first worker creates this index. The heartbeat of
 * the process continues until this instance is closed or the Java virtual machine shuts down in an orderly way. If the process dies, a janitor releases
 * its holds. If the process is alive but was fenced, because it did nothing for a lease, its holds are lost; the next call starts under a new process
 * id.
 */
public final class TreeLocks implements AutoCloseable {

    private final WriterSettings settings;
    private final Elastic elastic;
    private final Elastic heartbeats;
    private final WriterRun.Ground ground;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final StopSignal closing = new StopSignal();

    /** Guards {@link #run}. It is no monitor, because a virtual thread that waits for a monitor blocks its carrier thread. */
    private final ReentrantLock runLock = new ReentrantLock();

    private @Nullable WriterRun run;

    private TreeLocks(WriterSettings settings, Elastic elastic, Elastic heartbeats) {
        this.settings = settings;
        this.elastic = elastic;
        this.heartbeats = heartbeats;
        ControlIndex control = new ControlIndex(elastic);
        this.ground = new WriterRun.Ground(
                settings,
                LockBooks.of(
                        new ElasticNamespaces(elastic, control),
                        new ElasticJournal(control),
                        new ElasticLockStore(control)),
                new ElasticProcessStore(new ControlIndex(heartbeats)),
                new SystemTime(),
                threads);
    }

    /** Creates the locks. The connection is opened by the first request. */
    public static TreeLocks connect(WriterSettings settings) {
        return new TreeLocks(
                settings,
                Elastic.connect(settings.elasticsearch(settings.requestTimeout())),
                Elastic.connect(settings.elasticsearch(settings.lease().heartbeatTimeout())));
    }

    /**
     * Acquires the locks for writing into directories, all of them or none.
     *
     * @param namespace the name of the namespace in the control index
     * @param directories the paths of the directories, 1 to {@value WriteTarget#MOST_DIRECTORIES}
     * @throws LockedException if other requests held the locks for longer than the lock wait
     * @throws NoAnswerException if Elasticsearch did not answer during the lock wait and the timeout of one request; locks that are acquired later are
     *     released; it is thrown at once if Elasticsearch refuses this program
     * @throws FencedException if this process was fenced meanwhile; the caller may try again
     * @throws IllegalArgumentException if there is no such namespace, or if a path is invalid
     * @throws IllegalStateException if there is no control index, if this instance is closed, or if the process is just stopping because of a signal or
     *     because the release of a hold failed
     */
    public WriteHold write(String namespace, String... directories) {
        WriteTarget writeTarget = new WriteTarget(namespace, List.of(directories));
        LockCall call = new LockCall(writeTarget);
        CompletableFuture<WriteHold> acquisition = start(call);
        Duration longest = settings.lockWait().plus(settings.requestTimeout());
        try {
            return acquisition.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            call.giveUp(acquisition);
            throw new NoAnswerException(
                    "no answer from Elasticsearch to the request for the locks for writing into " + writeTarget, e);
        } catch (InterruptedException e) {
            call.giveUp(acquisition);
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while waiting for the locks for writing into " + writeTarget, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private CompletableFuture<WriteHold> start(LockCall call) {
        try {
            return CompletableFuture.supplyAsync(call, threads);
        } catch (RejectedExecutionException e) {
            throw closed();
        }
    }

    /** One call of {@link #write}. It runs on a thread of its own, so that the thread of the caller can stop waiting. */
    private final class LockCall implements Supplier<WriteHold> {
        private final WriteTarget writeTarget;
        private volatile boolean givenUp;
        private volatile @Nullable StopSignal stop;

        LockCall(WriteTarget writeTarget) {
            this.writeTarget = writeTarget;
        }

        @Override
        public WriteHold get() {
            WriterRun now = currentRun();
            StopSignal part = now.context().stop().part();
            stop = part;
            if (givenUp) {
                throw new IllegalStateException(
                        "the caller does not wait any more for the locks for writing into " + writeTarget);
            }
            return now.process().take(writeTarget, settings.lockWait(), part);
        }

        /** Stops the acquisition. A hold that is acquired nevertheless is released. */
        void giveUp(CompletableFuture<WriteHold> acquisition) {
            givenUp = true;
            StopSignal begun = stop;
            if (begun != null) {
                begun.request();
            }
            var unused = acquisition.whenComplete((hold, failure) -> {
                if (hold != null) {
                    hold.close();
                }
            });
        }
    }

    /** Returns the current run. Starts a new one if there is none, or if the last one was fenced or has ended. */
    private WriterRun currentRun() {
        runLock.lock();
        try {
            if (closing.isRequested()) {
                throw closed();
            }
            WriterRun now = run;
            if (now == null || now.isOver()) {
                now = WriterRun.begin(ground, closing);
                run = now;
            }
            return now;
        } finally {
            runLock.unlock();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the tree locks are closed");
    }

    /** Ends the process of this program. All holds are lost and are released. It blocks at most for the grace period and one lease. */
    @Override
    public void close() {
        closing.request();
        runLock.lock();
        try {
            if (run != null) {
                run.end(settings);
            }
        } finally {
            runLock.unlock();
        }
        threads.shutdownNow();
        try (elastic) {
            heartbeats.close();
        }
    }
}
