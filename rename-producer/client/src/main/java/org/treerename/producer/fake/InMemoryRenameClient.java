package org.treerename.producer.fake;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.treerename.kafka.RequestCodec;
import org.treerename.namespace.Namespace;
import org.treerename.producer.Followed;
import org.treerename.producer.NoOutcomeException;
import org.treerename.producer.OutcomeListener;
import org.treerename.producer.OutcomeStart;
import org.treerename.producer.OutcomeSubscription;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.RenameClient;
import org.treerename.producer.RequestCheck;
import org.treerename.producer.Sent;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.UuidV7;

/**
 * A client for the tests of programs that send requests. The client renames paths in memory, and needs no server. The
 * client checks requests with the code of the workers. So an outcome has the same status, reason and message as the
 * outcome of a worker.
 *
 * <pre>{@code
 * InMemoryRenameClient renames = InMemoryRenameClient.of(Namespace.ofFiles("files", "files"));
 * renames.tree("files").addDirectory("/drafts").addFile("/drafts/a.txt");
 *
 * new Archive(renames).archive("/drafts", "/old");     // the program under test
 *
 * assertThat(renames.tree("files").paths()).containsExactly("/old", "/old/a.txt");
 * }</pre>
 *
 * <p>A method that sends a request returns after the request has been processed. So the returned future is already
 * complete. The same thread calls the listeners of outcomes. {@link #pause} makes requests wait, for tests of timeouts.
 * Any thread may call this class.
 *
 * <p>This client differs from a client of real servers in these points:
 *
 * <ul>
 *   <li>Requests never fail and are never cancelled. There are no locks, no other programs, no processes that die, and
 *       no time limits.
 *   <li>A tree contains only ids and paths. There are no versions, so no document is newer than a request. There are no
 *       other fields and no searches.
 *   <li>There are no progress reports between the acknowledgement and the outcome.
 *   <li>Requests are processed in the order in which they are sent. So a request is rejected if one of the requests in
 *       {@code after} has not ended.
 *   <li>All outcomes are in partition 0. A listener that has thrown an exception is called again when the next outcome
 *       is published, or when the test calls {@link #deliverAgain}.
 * </ul>
 */
public final class InMemoryRenameClient implements RenameClient {

    private record Ended(String digest, PublishedOutcome outcome) {}

    private record Waiting(RenameRequest request, List<String> after, CompletableFuture<PublishedOutcome> future) {}

    private final UuidV7 ids = new UuidV7(new SystemTime(), new SecureRandom());
    private final OutcomeTopic topic = new OutcomeTopic();
    private final Decisions decisions;
    private final Map<String, Ended> ended = new HashMap<>();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final List<CompletableFuture<PublishedOutcome>> unanswered = new ArrayList<>();
    private boolean paused;
    private boolean closed;

    private InMemoryRenameClient(List<Namespace> namespaces) {
        this.decisions = new Decisions(namespaces, new SystemTime());
    }

    /** Returns a client with an empty tree for each namespace. */
    public static InMemoryRenameClient of(Namespace... namespaces) {
        return new InMemoryRenameClient(List.of(namespaces));
    }

    /**
     * Returns the tree of a namespace. A test adds documents to this tree, and checks their paths.
     *
     * @throws IllegalArgumentException if there is no such namespace
     */
    public InMemoryTree tree(String namespace) {
        return decisions.tree(namespace);
    }

    /** Returns all outcomes in the order in which they were published. */
    public List<Outcome> outcomes() {
        return topic.published().stream().map(PublishedOutcome::outcome).toList();
    }

    /** Makes all later requests wait. The waiting requests are acknowledged, but not processed. */
    public synchronized void pause() {
        paused = true;
    }

    /** Processes the waiting requests in the order in which they were sent. Later requests are processed at once. */
    public void resume() {
        List<Runnable> completions = new ArrayList<>();
        synchronized (this) {
            paused = false;
            while (!waiting.isEmpty()) {
                completions.add(process(waiting.remove()));
            }
        }
        completions.forEach(Runnable::run);
        topic.deliver();
    }

    /** If a listener has thrown an exception, calls the listener again for the outcomes that it has not processed. */
    public void deliverAgain() {
        topic.deliver();
    }

    @Override
    public String newRequestId() {
        return ids.next().toString();
    }

    @Override
    public Sent submit(RenameRequest request, List<String> after) {
        Optional<String> problem = RequestCheck.problem(request, after);
        if (problem.isPresent()) {
            return failed(request, new IllegalArgumentException(problem.get()));
        }
        CompletableFuture<PublishedOutcome> future = new CompletableFuture<>();
        Runnable completion = () -> {};
        synchronized (this) {
            if (closed) {
                return failed(request, new NoOutcomeException("the client is closed"));
            }
            Waiting next = new Waiting(request, List.copyOf(after), future);
            if (paused) {
                waiting.add(next);
            } else {
                completion = process(next);
            }
        }
        completion.run();
        topic.deliver();
        return new Sent(request.requestId(), CompletableFuture.completedFuture(null), future);
    }

    private static Sent failed(RenameRequest request, RuntimeException failure) {
        return new Sent(
                request.requestId(), CompletableFuture.failedFuture(failure), CompletableFuture.failedFuture(failure));
    }

    /** Returns an action that completes the future. The caller runs it without the lock of this client. */
    private Runnable process(Waiting next) {
        RenameRequest request = next.request();
        String digest = RequestCodec.digest(request);
        Ended known = ended.get(request.requestId());
        if (known != null && !known.digest().equals(digest)) {
            // the id belongs to another request: a worker would write a dead letter and no outcome
            unanswered.add(next.future());
            return () -> {};
        }
        PublishedOutcome outcome = known == null ? publishedOutcome(request, next.after()) : known.outcome();
        ended.put(request.requestId(), new Ended(digest, outcome));
        topic.publish(outcome);
        return () -> next.future().complete(outcome);
    }

    private PublishedOutcome publishedOutcome(RenameRequest request, List<String> after) {
        Outcome outcome = decisions.process(request, after, ended::containsKey);
        return new PublishedOutcome(outcome, OutcomeCodec.encode(outcome));
    }

    @Override
    public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
        Sent sent = submit(request, after);
        if (!sent.acknowledged().isCompletedExceptionally()) {
            listener.acknowledged();
        }
        return sent;
    }

    @Override
    public Followed follow(RenameRequest request, List<String> after, ProgressListener listener) {
        return Followed.withoutProgress(submit(request, after, listener));
    }

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        return submit(request, after).acknowledged();
    }

    @Override
    public OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener) {
        return topic.subscribe(start, listener);
    }

    @Override
    public void close(Duration timeout) {
        List<CompletableFuture<PublishedOutcome>> open;
        synchronized (this) {
            closed = true;
            waiting.forEach(next -> unanswered.add(next.future()));
            waiting.clear();
            open = List.copyOf(unanswered);
            unanswered.clear();
        }
        NoOutcomeException failure = new NoOutcomeException("the client was closed before the outcome arrived");
        open.forEach(future -> future.completeExceptionally(failure));
        topic.close();
    }
}
