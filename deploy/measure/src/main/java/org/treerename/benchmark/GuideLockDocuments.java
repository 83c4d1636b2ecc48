package org.treerename.benchmark;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.treerename.benchmark.Es.Answer;
import org.treerename.runtime.Time;

/**
 * Acquires and releases the global lock and the document locks of <i>Elasticsearch: The Definitive Guide</i> ("Solving
 * Concurrency Issues"). The scripts are in Painless instead of Groovy. A refused client tries again after a short
 * pause. The guide requires such a pause, but does not specify how long it must be. Any thread may call this class.
 */
final class GuideLockDocuments {

    private static final String INDEX = "guide-lock-documents";
    private static final String MAPPING = """
            {"settings": {"number_of_shards": 1, "number_of_replicas": 0},
             "mappings": {"dynamic": false, "properties": {"process_id": {"type": "keyword"}}}}""";
    private static final String GLOBAL = "global";
    private static final String REFUSAL = "locked by another";
    private static final String OWN = """
            {"upsert": {"process_id": "%s"}, "script": {"source": "if (ctx._source.process_id != params.process_id) \
            { throw new IllegalStateException('locked by another') } ctx.op = 'noop'", "params": {"process_id": "%s"}}}""";
    private static final String OF_PROCESS = "{\"query\":{\"term\":{\"process_id\":\"%s\"}}}";

    private static final int CONFLICT = 409;
    private static final int BAD_REQUEST = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LONGEST_PAUSE_MICROS = 4_000;

    private final Es es;
    private final Time time;

    private GuideLockDocuments(Es es, Time time) {
        this.es = es;
        this.time = time;
    }

    /** Creates an empty index. Each acquired lock will be a document in this index. */
    static GuideLockDocuments create(Es es, Time time) {
        es.put(INDEX, MAPPING).orThrow();
        return new GuideLockDocuments(es, time);
    }

    /**
     * Acquires the global lock. Repeats the attempt to create the document of the lock until the attempt succeeds, or
     * until {@code over} returns true.
     *
     * @param over returns whether the client must stop its attempts
     * @return whether the lock is acquired
     */
    boolean createGlobal(BooleanSupplier over) {
        return untilTaken(over, () -> es.put(INDEX + "/_create/" + GLOBAL, "{}"));
    }

    void deleteGlobal() {
        es.delete(INDEX + "/_doc/" + GLOBAL).orThrow();
    }

    /** Acquires the lock on a document for a process. Tries again until the lock is acquired. */
    void own(String id, String process) {
        untilTaken(() -> false, () -> es.post(INDEX + "/_update/" + id, OWN.formatted(process, process)));
    }

    /** Deletes all locks of a process by a query. Refreshes the index first, so that the query finds the locks. */
    void disown(String process) {
        es.post(INDEX + "/_refresh", "").orThrow();
        es.post(INDEX + "/_delete_by_query", OF_PROCESS.formatted(process)).orThrow();
    }

    /** Checks that all locks are released. */
    void requireNoneLeft() {
        es.post(INDEX + "/_refresh", "").orThrow();
        long left = es.get(INDEX + "/_count").json().path("count").asLong(-1);
        if (left != 0) {
            throw new IllegalStateException("expected no lock document after the last rename, found " + left);
        }
    }

    private boolean untilTaken(BooleanSupplier over, Supplier<Answer> request) {
        long begun = time.nanos();
        while (true) {
            Answer answer = request.get();
            if (answer.isOk()) {
                return true;
            }
            if (!isRefusal(answer) || time.nanos() - begun > PATIENCE.toNanos()) {
                answer.orThrow();
            }
            if (over.getAsBoolean()) {
                return false;
            }
            time.pause(Duration.ofNanos(1_000L * ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MICROS)));
        }
    }

    /** Returns whether another client has the lock, or changed the lock document at the same moment. */
    private static boolean isRefusal(Answer answer) {
        return answer.status() == CONFLICT
                || (answer.status() == BAD_REQUEST
                        && new String(answer.body(), StandardCharsets.UTF_8).contains(REFUSAL));
    }
}
