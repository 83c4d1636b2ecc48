package org.treerename.producer.writer;

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
import org.treerename.journal.LockBooks;
import org.treerename.journal.WriteTarget;
import org.treerename.process.FencedException;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.store.NoAnswerException;

/**
 * Locks directories for programs that write documents into trees. While a program holds a directory for writing, no
 * rename moves this directory or a directory above it. No rename replaces this directory either. So a later rename also
 * moves the documents that the program writes into the directory. Other writers may hold the directory at the same
 * time, and renames inside the directory continue. A program creates one instance and reuses it. Any thread may call
 * this class.
 *
 * <pre>{@code
 * try (TreeLocks treeLocks = TreeLocks.connect(WriterSettings.of("http://localhost:9200").withService("crawler"))) {
 *     try (WriteHold held = treeLocks.write("files", "/clinton/projects")) {
 *         held.onLoss(indexing::cancel);
 *         if (isThere("/clinton/projects")) {             // a rename may have moved the directory
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
 * <p>The guarantee of a hold begins when {@link #write} returns, and lasts while {@link WriteHold#stillHeld} returns
 * true. During this time no rename moves or replaces a held directory. No rename moves a directory above a held
 * directory either. Locks are granted fairly. A waiting rename has priority over writers that request their locks
 * later. A waiting writer has priority over later renames.
 *
 * <p>The guarantee has these limits:
 *
 * <ul>
 *   <li>A held directory need not exist. The program must check whether the directory exists, by a search after a
 *       refresh, or by a real-time read of the directory's id.
 *   <li>Directories below a held directory are not locked. A program that writes into {@code /a/b} must hold {@code
 *       /a/b}; this hold also protects {@code /a} from renames.
 *   <li>A write that is sent under a hold may arrive after the hold is lost. The write is late if the program is
 *       suspended between the check and the write, or if a request needs longer than half a lease. If directories are
 *       documents, the audit finds documents that were written too late. Set the timeout of requests to less than half
 *       a lease and less than a third of the grace period. If the program ends in an orderly way, the holds that are
 *       not closed are released after a third of the grace period.
 *   <li>A hold must not be kept for long. While a directory is held, all renames of this directory, or of a directory
 *       above it, must wait. The renames fail if they wait for too long. Hold a directory for a batch of documents, not
 *       for a day and not for each document. Each hold needs three small requests and one journal entry. The journal
 *       keeps this entry as long as the entry of a rename.
 * </ul>
 *
 * <p>Request all directories in one call. A program that holds one directory must not request another directory.
 * Otherwise the program and a rename may wait for each other until the lock wait is over.
 *
 * <p>From the first {@link #write} on, the program has a process document in the control index. The first worker
 * creates this index. The heartbeat of the process continues until this instance is closed or the Java virtual machine
 * shuts down in an orderly way. If the process dies, a janitor releases its holds. A process that sends no heartbeat
 * for the time of a lease may be fenced although it is alive. Its holds are then lost, and the next call of {@link
 * #write} starts a new process with a new id.
 */
public final class TreeLocks implements AutoCloseable {

    private final WriterSettings settings;
    private final Elastic elastic;
    private final Elastic heartbeats;
    private final WriterRun.Ground ground;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final StopSignal closing = new StopSignal();

    /** Guards {@link #run}. A monitor would block the carriers of waiting virtual threads. */
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

    /** Creates an instance. The first request opens the connection. */
    public static TreeLocks connect(WriterSettings settings) {
        return new TreeLocks(
                settings,
                Elastic.connect(settings.elasticsearch(settings.requestTimeout())),
                Elastic.connect(settings.elasticsearch(settings.lease().heartbeatTimeout())));
    }

    /**
     * Acquires the locks for writing into all given directories, or no lock.
     *
     * @param namespace the name of the namespace in the control index
     * @param directories the paths of the directories, 1 to {@value WriteTarget#MOST_DIRECTORIES}
     * @throws LockedException if other requests held the locks for longer than the lock wait
     * @throws NoAnswerException if Elasticsearch did not answer within the lock wait plus the timeout of one request.
     *     Thrown at once if Elasticsearch refuses the credentials of this program. Locks that are acquired after the
     *     exception are released
     * @throws FencedException if this process was fenced during the call; the caller may try again
     * @throws IllegalArgumentException if there is no such namespace, or if a path is invalid
     * @throws IllegalStateException if there is no control index, or if this instance is closed. Also thrown while the
     *     process stops after a signal, or after a failed release of a hold
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
                    "Elasticsearch did not answer a request for the locks to write into " + writeTarget
                            + "; locks that are acquired later are released",
                    e);
        } catch (InterruptedException e) {
            call.giveUp(acquisition);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the locks to write into " + writeTarget, e);
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

    /** One call of {@link #write}, on a separate thread, so that the thread of the caller can stop waiting. */
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
                        "the caller no longer waits for the locks to write into " + writeTarget);
            }
            return now.process().take(writeTarget, settings.lockWait(), part);
        }

        /** Stops the acquisition. If the acquisition still acquires a hold, this hold is released. */
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
        return new IllegalStateException("this TreeLocks object is closed; create a new object");
    }

    /**
     * Ends the process of this instance in the control index. All holds are lost, and their locks are released. This
     * method blocks for at most the grace period plus one lease.
     */
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
