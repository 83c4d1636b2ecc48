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
 * The locks of the trees, for programs that write documents into them. While a program holds a directory for writing, no rename
 * moves that directory or one above it, or puts another one in its place; so what is written into it does not stay behind. Other
 * writers hold it as well, and renames of what lies in it go on. Make one and keep it; any thread may call it.
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
 * <p>What it promises: from the moment at which {@link #write} returns, and as long as {@link WriteHold#stillHeld} says so, none
 * of the named directories and none above them is renamed, and none is replaced. Locks are given fairly: a rename that waits
 * goes before writers that ask later, and the other way round.
 *
 * <p>What it does not promise:
 *
 * <ul>
 *   <li>that a directory is there. Look when you hold it, by a search after a refresh, or in real time by its id;
 *   <li>anything of the directories below. Whoever writes into {@code /a/b} holds {@code /a/b}; that holds {@code /a}, too;
 *   <li>that a write which is sent while it is held also arrives then. A program that stalls between the question and the
 *       write, or a request that is on its way for longer than half a lease, can write late; where directories are documents,
 *       the audit finds what it left. Give your requests a time-out shorter than half a lease, and shorter than a third of the
 *       grace, after which an end in good order gives back what its holder has not;
 *   <li>that it goes on for ever: renames of the directory, and of all above it, wait meanwhile, and fail when they have waited
 *       for long. Hold it for a batch of documents, not for a day, and not for each document: every hold costs three small
 *       requests, and an entry in the journal, which is kept as long as those of renames.
 * </ul>
 *
 * <p>Who holds one directory and asks for another may wait for a rename that waits for him, until he has waited for too long. So
 * ask for all directories at once.
 *
 * <p>The program is a process of its own in the control index, which the first worker creates, from the first {@link #write} on:
 * its heartbeat goes on until this is closed, or the Java virtual machine ends in good order. Where it dies, a janitor gives back
 * what it held. Where it is taken for dead and was not (it stood still for a lease), its holds are lost, and the next call begins
 * under a new process id.
 */
public final class TreeLocks implements AutoCloseable {

    private final WriterSettings settings;
    private final Elastic elastic;
    private final Elastic heartbeats;
    private final WriterRun.Ground ground;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final StopSignal closing = new StopSignal();

    /** A monitor would keep the virtual threads that wait for it on their carriers. */
    private final ReentrantLock lives = new ReentrantLock();

    private @Nullable WriterRun life;

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

    /** Connects lazily. */
    public static TreeLocks connect(WriterSettings settings) {
        return new TreeLocks(
                settings,
                Elastic.connect(settings.elasticsearch(settings.requestTimeout())),
                Elastic.connect(settings.elasticsearch(settings.lease().heartbeatTimeout())));
    }

    /**
     * Takes the locks for writing into directories, all or none.
     *
     * @param namespace as it is defined in the control index
     * @param directories their paths, 1 to {@value WriteTarget#MOST_DIRECTORIES}
     * @throws LockedException if others held them for longer than the lock wait
     * @throws NoAnswerException if Elasticsearch did not answer for so long, and the time-out of one request more; what it takes
     *     yet is given back; or at once if it does not let this program in
     * @throws FencedException if others took this program for dead meanwhile; ask again
     * @throws IllegalArgumentException if there is no such namespace, or a path is none
     * @throws IllegalStateException if there is no control index, this is closed, or the process is just being ended, by a
     *     signal or because what it held could not be given back
     */
    public WriteHold write(String namespace, String... directories) {
        WriteTarget writeTarget = new WriteTarget(namespace, List.of(directories));
        Asking asking = new Asking(writeTarget);
        CompletableFuture<WriteHold> asked = begun(asking);
        Duration longest = settings.lockWait().plus(settings.requestTimeout());
        try {
            return asked.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            asking.giveUp(asked);
            throw new NoAnswerException("no answer to whether it may be written into " + writeTarget, e);
        } catch (InterruptedException e) {
            asking.giveUp(asked);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before it had the locks: " + writeTarget, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private CompletableFuture<WriteHold> begun(Asking asking) {
        try {
            return CompletableFuture.supplyAsync(asking, threads);
        } catch (RejectedExecutionException e) {
            throw closed();
        }
    }

    /** One call, on a thread of its own, so that whoever made it need not wait for ever. */
    private final class Asking implements Supplier<WriteHold> {
        private final WriteTarget writeTarget;
        private volatile boolean givenUp;
        private volatile @Nullable StopSignal stop;

        Asking(WriteTarget writeTarget) {
            this.writeTarget = writeTarget;
        }

        @Override
        public WriteHold get() {
            WriterRun now = living();
            StopSignal part = now.context().stop().part();
            stop = part;
            if (givenUp) {
                throw new IllegalStateException("nobody waits any more to write into " + writeTarget);
            }
            return now.process().take(writeTarget, settings.lockWait(), part);
        }

        /** What it gets all the same is given back. */
        void giveUp(CompletableFuture<WriteHold> asked) {
            givenUp = true;
            StopSignal begun = stop;
            if (begun != null) {
                begun.request();
            }
            var unused = asked.whenComplete((hold, failure) -> {
                if (hold != null) {
                    hold.close();
                }
            });
        }
    }

    private WriterRun living() {
        lives.lock();
        try {
            if (closing.isRequested()) {
                throw closed();
            }
            WriterRun now = life;
            if (now == null || now.isOver()) {
                now = WriterRun.begin(ground, closing);
                life = now;
            }
            return now;
        } finally {
            lives.unlock();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the tree locks are closed");
    }

    /** What is held is lost, and given back. It takes as long as the grace and a lease at most, whoever answers. */
    @Override
    public void close() {
        closing.request();
        lives.lock();
        try {
            if (life != null) {
                life.end(settings);
            }
        } finally {
            lives.unlock();
        }
        threads.shutdownNow();
        try (elastic) {
            heartbeats.close();
        }
    }
}
