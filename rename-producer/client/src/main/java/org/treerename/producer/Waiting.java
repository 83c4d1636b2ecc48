package org.treerename.producer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the futures that wait for an outcome, by request id. A future that completes is removed, even if it completes
 * without an outcome, for example after a timeout of the user. Any thread may call this class.
 */
final class Waiting {

    /** Runs callbacks of the user on virtual threads. So a callback blocks no thread of Kafka or of this library. */
    static final Executor CALLBACKS = Thread::startVirtualThread;

    private final int limit;
    private final Map<String, List<CompletableFuture<PublishedOutcome>>> futures = new HashMap<>();
    private int size;
    private @Nullable NoOutcomeException ended;

    /**
     * @param limit the largest number of futures that may wait
     */
    Waiting(int limit) {
        this.limit = limit;
    }

    /** Returns a future that completes with the next outcome that is read for this request. */
    synchronized CompletableFuture<PublishedOutcome> add(String requestId) {
        if (ended != null) {
            return CompletableFuture.failedFuture(ended);
        }
        if (size >= limit) {
            return CompletableFuture.failedFuture(new NoOutcomeException("request " + requestId + " was not sent: "
                    + limit + " requests already wait for their outcomes; send the request again when some of them"
                    + " have ended"));
        }
        CompletableFuture<PublishedOutcome> future = new CompletableFuture<>();
        futures.computeIfAbsent(requestId, id -> new ArrayList<>(1)).add(future);
        size++;
        var unused = future.whenComplete((outcome, failure) -> forget(requestId, future));
        return future;
    }

    synchronized boolean isAwaited(String requestId) {
        return futures.containsKey(requestId);
    }

    synchronized int size() {
        return size;
    }

    void answer(String requestId, PublishedOutcome outcome) {
        for (CompletableFuture<PublishedOutcome> future : removeFor(requestId)) {
            CALLBACKS.execute(() -> future.complete(outcome));
        }
    }

    void fail(String requestId, NoOutcomeException failure) {
        for (CompletableFuture<PublishedOutcome> future : removeFor(requestId)) {
            CALLBACKS.execute(() -> future.completeExceptionally(failure));
        }
    }

    void failAll(NoOutcomeException failure) {
        for (CompletableFuture<PublishedOutcome> future : removeAll()) {
            CALLBACKS.execute(() -> future.completeExceptionally(failure));
        }
    }

    /** Fails all waiting futures before this method returns. Each future that is added later fails as well. */
    void end(NoOutcomeException failure) {
        synchronized (this) {
            // keep the first reason, because each later reason is only a consequence of the first reason
            ended = ended == null ? failure : ended;
        }
        removeAll().forEach(future -> future.completeExceptionally(failure));
    }

    private synchronized List<CompletableFuture<PublishedOutcome>> removeAll() {
        List<CompletableFuture<PublishedOutcome>> all = new ArrayList<>();
        futures.values().forEach(all::addAll);
        futures.clear();
        size = 0;
        return all;
    }

    private synchronized List<CompletableFuture<PublishedOutcome>> removeFor(String requestId) {
        List<CompletableFuture<PublishedOutcome>> removed = futures.remove(requestId);
        if (removed == null) {
            return List.of();
        }
        size -= removed.size();
        return removed;
    }

    private synchronized void forget(String requestId, CompletableFuture<PublishedOutcome> future) {
        List<CompletableFuture<PublishedOutcome>> sameRequest = futures.get(requestId);
        if (sameRequest != null && sameRequest.removeIf(waiting -> waiting == future)) {
            size--;
            if (sameRequest.isEmpty()) {
                futures.remove(requestId);
            }
        }
    }
}
