package org.treerename.producer.direct;

import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.elastic.Elastic;
import org.treerename.journal.Delivery;
import org.treerename.process.FencedException;
import org.treerename.producer.NoOutcomeException;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.RequestBuilder;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Runs renames in this process, without Kafka. A direct rename uses the same steps, locks and journal as a rename in a
 * worker. So both may run at the same time. Create one instance and reuse it. Any thread may call an instance.
 *
 * <pre>{@code
 * try (DirectRenames renames = DirectRenames.connect(DirectSettings.of("http://localhost:9200"))) {
 *     Outcome outcome = renames.rename(renames.rename("files", "/drafts", "/archive/2026").build()).outcome();
 * }
 * }</pre>
 *
 * <p>If this process dies before the commit of a rename, no document has moved. A janitor then ends the rename as
 * {@code failed} with the reason {@code process_ended}. If the process dies after the commit, a janitor finishes the
 * rename. The locks are held until the rename has ended. So a janitor must run, or an operator must start {@code
 * rename-admin audit --repair}.
 *
 * <p>Direct renames give fewer guarantees than requests through Kafka:
 *
 * <ul>
 *   <li>There is no order between requests. If the order matters, call {@link #rename} for the next request after the
 *       previous call has returned.
 *   <li>No other process begins the rename again if this process dies before the commit.
 *   <li>The outcome is in the journal. This process does not publish the outcome to Kafka. A janitor that ends the
 *       rename publishes the outcome.
 *   <li>A request that is repeated under its id is processed only once, as long as the journal contains the entry of
 *       the request.
 * </ul>
 */
public final class DirectRenames implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DirectRenames.class);
    private static final DirectListener NO_LISTENER = new DirectListener() {};

    private final DirectProcess.Ground ground;
    private final Time time;
    private final UuidV7 ids;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Guards {@link #current} and {@link #isClosed}. A monitor would block the carriers of waiting virtual threads. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable DirectProcess current;
    private boolean isClosed;

    private DirectRenames(DirectProcess.Ground ground) {
        this.ground = ground;
        this.time = ground.time();
        this.ids = new UuidV7(time, new SecureRandom());
    }

    /** Returns an object that connects to Elasticsearch when the first rename begins. */
    public static DirectRenames connect(DirectSettings settings) {
        return connect(settings, UnaryOperator.identity());
    }

    /**
     * Creates an object for tests.
     *
     * @param decorator decorates the stores that the renames use
     */
    public static DirectRenames connect(DirectSettings settings, UnaryOperator<Stores> decorator) {
        return new DirectRenames(new DirectProcess.Ground(
                settings,
                Elastic.connect(settings.elasticsearch()),
                Elastic.connect(
                        settings.elasticsearch().withTimeout(settings.lease().heartbeatTimeout())),
                new SystemTime(),
                decorator));
    }

    /** Returns a new request id. The id is a UUID of version 7, so ids sort by their creation times. */
    public String newRequestId() {
        return ids.next().toString();
    }

    /**
     * Returns a builder for a request with a new request id.
     *
     * @param namespace the name of the namespace, for example {@code files}
     */
    public RequestBuilder rename(String namespace, String source, String destination) {
        return new RequestBuilder(newRequestId(), namespace, source, destination);
    }

    /**
     * Runs a rename, and waits for its outcome. The outcome may have any status. If the journal already contains the
     * request id, this method waits for the end of that request, and returns its outcome.
     *
     * @throws NoOutcomeException if the rename has no outcome yet: the rename is parked, or this object was closed
     * @throws NoAnswerException if Elasticsearch did not answer before the rename began; nothing was written
     * @throws RefusedException if Elasticsearch refuses a request of this process, or if renames are paused; nothing
     *     was written
     * @throws IllegalArgumentException if the request id is not valid, or if the journal contains another request with
     *     this id
     * @throws InterruptedException if this thread was interrupted. The rename continues until this object is closed
     */
    public PublishedOutcome rename(RenameRequest request) throws InterruptedException {
        try {
            return submit(request, NO_LISTENER).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Begins a rename on another thread. The future completes with the result or the exception of {@link
     * #rename(RenameRequest)}. A cancellation of the future ends only the wait, not the rename.
     */
    public CompletableFuture<PublishedOutcome> submit(RenameRequest request, DirectListener listener) {
        Delivery delivery = RequestCheck.delivery(request, time.now());
        return CompletableFuture.supplyAsync(() -> run(delivery, listener), threads);
    }

    /** If the current incarnation is fenced, a new one waits until a janitor has taken over and ended the rename. */
    private PublishedOutcome run(Delivery delivery, DirectListener listener) {
        Backoff backoff = Backoff.Factory.jittered(time).begin("request " + delivery.requestId());
        boolean hasBegun = false;
        while (true) {
            try {
                DirectProcess process = process(delivery.requestId());
                Answer answer = process.run(delivery, listener);
                return published(delivery.requestId(), answer);
            } catch (FencedException e) {
                hasBegun = true;
                log.warn(
                        "request {}: other processes treat this process as dead; this process gets a new process id,"
                                + " and waits until the request has ended",
                        delivery.requestId());
            } catch (NoAnswerException e) {
                if (!hasBegun) {
                    throw e;
                }
                backoff.pauseAfter(e);
            }
        }
    }

    private PublishedOutcome published(String requestId, Answer answer) {
        return switch (answer) {
            case Answer.Published published ->
                new PublishedOutcome(OutcomeCodec.decode(published.outcome()), published.outcome());
            case Answer.Reused reused ->
                throw new IllegalArgumentException(
                        "the request id " + requestId + " belongs to another request; use a new request id");
            case Answer.Parked parked ->
                throw new NoOutcomeException(RenameProgress.parkedInWords(
                        requestId, "a document cannot be moved, see rename status " + requestId));
            case Answer.Stopped stopped ->
                throw new NoOutcomeException(
                        "request " + requestId + " has no outcome yet: this process stops, and another thread"
                                + " or process continues the request");
            case Answer.Unanswerable damaged ->
                throw new IllegalStateException("request " + requestId + ": " + damaged.why());
        };
    }

    private DirectProcess process(String requestId) {
        lock.lock();
        try {
            if (isClosed) {
                throw new NoOutcomeException("request " + requestId
                        + " has no outcome, because the DirectRenames object was closed; if the request is decided,"
                        + " a janitor finishes it");
            }
            DirectProcess process = current;
            if (process == null || process.isOver()) {
                process = DirectProcess.begin(ground);
                current = process;
            }
            return process;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the process of this object. A rename that is not decided yet ends with the status {@code failed}. This
     * method waits for the decided renames, for at most the grace period plus one lease. After this time, a janitor
     * finishes the remaining renames.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            if (current != null) {
                current.end(
                        ground.settings().grace().plus(ground.settings().lease().length()));
            }
        } finally {
            lock.unlock();
        }
        threads.shutdownNow();
        try (Elastic elastic = ground.elastic()) {
            ground.heartbeats().close();
        }
    }
}
