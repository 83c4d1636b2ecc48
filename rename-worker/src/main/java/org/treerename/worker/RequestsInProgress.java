package org.treerename.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.worker.DependencyQueue.Ready;
import org.treerename.worker.PartitionQueue.Queued;

/**
 * Runs the requests that have begun and have not ended. Each request runs on its own thread. At the end of the request,
 * this thread adds a report to a queue. Only the thread of the loop calls this class.
 */
final class RequestsInProgress {

    /** The report of the thread that ran a request: a result or a failure. */
    private record End(
            Ready of,
            long begunNanos,
            @Nullable RecordResult result,
            @Nullable Throwable failure) {}

    private final RecordHandler handler;
    private final RequestLoop.Runner runner;
    private final Runnable onEnd;
    private final Summary summary;
    private final Time time;
    private final Queue<End> ends = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> ofNamespaces = new HashMap<>();
    private int running;

    /** @param onEnd the callback after each request that ends; the thread of the request runs it */
    RequestsInProgress(RecordHandler handler, RequestLoop.Runner runner, Runnable onEnd, Summary summary, Time time) {
        this.handler = handler;
        this.runner = runner;
        this.onEnd = onEnd;
        this.summary = summary;
        this.time = time;
    }

    int size() {
        return running;
    }

    /** Returns whether another request of a namespace may begin. */
    boolean mayBegin(String namespace, ConsumerLimits limits) {
        return limits.mayBegin(ofNamespaces.getOrDefault(namespace, 0), running, ofNamespaces.size());
    }

    /** Starts a request on a new thread. */
    void begin(Ready ready) {
        running++;
        ofNamespaces.merge(ready.queued().taken().namespace(), 1, Integer::sum);
        long begunNanos = time.nanos();
        Assignment assignment = ready.assignment();
        ReceivedRecord received = ready.queued().taken();
        assignment.queue().carry(ready.queued());
        runner.start(received, () -> {
            try {
                RecordResult result = handler.carry(received, ready.unmet(), assignment.renamer());
                ends.add(new End(ready, begunNanos, result, null));
            } catch (RuntimeException | Error e) {
                ends.add(new End(ready, begunNanos, null, e));
            } finally {
                onEnd.run();
            }
        });
    }

    /**
     * Takes the reports from the queue. Records the end of each request whose offset may be committed. A failure that
     * remains after all retries ends the worker, because the request is not the cause of this failure. Kafka then
     * delivers each unfinished request again.
     *
     * @param stop the signal of the process; failures of a fenced process are expected
     */
    void collect(StopSignal stop) {
        for (End end = ends.poll(); end != null; end = ends.poll()) {
            Queued queued = end.of().queued();
            running--;
            ofNamespaces.computeIfPresent(queued.taken().namespace(), (same, count) -> count == 1 ? null : count - 1);
            RecordResult result = end.result();
            if (result != null) {
                summary.ended(queued.taken().name(), result, time.nanos() - end.begunNanos());
                if (result.mayCommit()) {
                    end.of().assignment().queue().end(queued);
                }
            } else if (!stop.isAbandoned()) {
                throw new IllegalStateException(
                        "cannot process " + queued.taken() + "; the worker ends", end.failure());
            }
        }
    }
}
