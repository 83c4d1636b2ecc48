package org.treerename.producer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The futures that wait for an outcome, by request id. Any thread may call it. A future that ends for whatever reason,
 * its user's time-out too, is forgotten.
 */
final class Waiting {

    /** What users hang on to a future runs on a thread of its own and holds up neither Kafka's threads nor ours. */
    static final Executor CALLBACKS = Thread::startVirtualThread;

    private final int limit;
    private final Map<String, List<CompletableFuture<PublishedOutcome>>> futures = new HashMap<>();
    private int size;
    private @Nullable NoOutcomeException ended;

    /**
     * Makes an empty one.
     *
     * @param limit how many futures may wait
     */
    Waiting(int limit) {
        this.limit = limit;
    }

    /** A future that ends with the next outcome of this request that is read. */
    synchronized CompletableFuture<PublishedOutcome> add(String requestId) {
        if (ended != null) {
            return CompletableFuture.failedFuture(ended);
        }
        if (size >= limit) {
            return CompletableFuture.failedFuture(new NoOutcomeException("request " + requestId + " was not sent: "
                    + limit + " requests wait for their outcomes already; send again when some have ended"));
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
        for (CompletableFuture<PublishedOutcome> future : take(requestId)) {
            CALLBACKS.execute(() -> future.complete(outcome));
        }
    }

    void fail(String requestId, NoOutcomeException failure) {
        for (CompletableFuture<PublishedOutcome> future : take(requestId)) {
            CALLBACKS.execute(() -> future.completeExceptionally(failure));
        }
    }

    void failAll(NoOutcomeException failure) {
        for (CompletableFuture<PublishedOutcome> future : takeAll()) {
            CALLBACKS.execute(() -> future.completeExceptionally(failure));
        }
    }

    /** Ends all that wait, and from now on all that are added; when it returns they have ended. */
    void end(NoOutcomeException failure) {
        synchronized (this) {
            // the first reason is the true one
            ended = ended == null ? failure : ended;
        }
        takeAll().forEach(future -> future.completeExceptionally(failure));
    }

    private synchronized List<CompletableFuture<PublishedOutcome>> takeAll() {
        List<CompletableFuture<PublishedOutcome>> all = new ArrayList<>();
        futures.values().forEach(all::addAll);
        futures.clear();
        size = 0;
        return all;
    }

    private synchronized List<CompletableFuture<PublishedOutcome>> take(String requestId) {
        List<CompletableFuture<PublishedOutcome>> taken = futures.remove(requestId);
        if (taken == null) {
            return List.of();
        }
        size -= taken.size();
        return taken;
    }

    private synchronized void forget(String requestId, CompletableFuture<PublishedOutcome> future) {
        List<CompletableFuture<PublishedOutcome>> same = futures.get(requestId);
        if (same != null && same.removeIf(waiting -> waiting == future)) {
            size--;
            if (same.isEmpty()) {
                futures.remove(requestId);
            }
        }
    }
}
