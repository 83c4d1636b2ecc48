package org.treerename.benchmark;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.treerename.benchmark.TreeLocks.Mode;

/**
 * Acquires and releases the tree locks of Elasticsearch: The Definitive Guide ("Solving Concurrency Issues"), with one
 * request for each lock:
 * <ul>
 *   <li>An exclusive lock is a document that is created and deleted.
 *   <li>A shared lock is a counter in a document. A scripted upsert increments the counter, and another script
 *       decrements it.
 *   <li>A refused client releases its locks and begins again.
 * </ul>
 * Two parts differ from the guide, because Elasticsearch has changed: an index has no mapping types, and the scripts
 * throw an exception instead of using {@code assert}. A third part is not in the guide: after a version conflict on a
 * shared counter, the client repeats only this request. The client does not begin again with the first lock.
 */
final class GuideLocks {

    private static final String INDEX = "guide-locks";
    private static final String MAPPING = """
            {"settings": {"number_of_shards": 1, "number_of_replicas": 0},
             "mappings": {"properties": {"lock_type": {"type": "keyword"}, "lock_count": {"type": "integer"}}}}""";
    private static final String SHARE = """
            {"upsert": {"lock_type": "shared", "lock_count": 1},
             "script": "if (ctx._source.lock_type == 'exclusive') { throw new IllegalStateException('exclusive') } \
            ctx._source.lock_count++"}""";
    private static final String UNSHARE = """
            {"script": "if (--ctx._source.lock_count == 0) { ctx.op = 'delete' }"}""";
    private static final int CONFLICT = 409;

    private final Es es;

    GuideLocks(Stage stage) {
        es = stage.es();
        es.delete(INDEX); // another benchmark of this run may have created the index; if not, the error is ignored
        es.put(INDEX, MAPPING).orThrow();
    }

    /** Acquires all locks, runs {@code whileHeld}, and releases the locks. Blocks until the locks are acquired. */
    void acquireAndRelease(TreeLocks locks, Runnable whileHeld) {
        boolean complete = false;
        while (!complete) {
            Deque<Map.Entry<String, Mode>> acquired = new ArrayDeque<>();
            complete = true;
            for (Map.Entry<String, Mode> lock : locks.modes().entrySet()) {
                if (!acquire(lock)) {
                    complete = false;
                    break;
                }
                acquired.push(lock);
            }
            if (complete) {
                whileHeld.run();
            }
            acquired.forEach(this::release);
        }
    }

    /** Checks that all locks are released. */
    void requireNoneLeft() {
        es.post(INDEX + "/_refresh", "").orThrow();
        long left = es.get(INDEX + "/_count").json().path("count").asLong(-1);
        if (left != 0) {
            throw new IllegalStateException("expected no lock document after the last rename, found " + left);
        }
    }

    private boolean acquire(Map.Entry<String, Mode> lock) {
        String id = id(lock.getKey());
        if (lock.getValue() == Mode.EXCLUSIVE) {
            return es.put(INDEX + "/_create/" + id, "{\"lock_type\":\"exclusive\"}")
                    .isOk();
        }
        return repeated("_update/" + id, SHARE).isOk();
    }

    private void release(Map.Entry<String, Mode> lock) {
        String id = id(lock.getKey());
        if (lock.getValue() == Mode.EXCLUSIVE) {
            es.delete(INDEX + "/_doc/" + id).orThrow();
        } else {
            repeated("_update/" + id, UNSHARE).orThrow();
        }
    }

    private Es.Answer repeated(String path, String body) {
        Es.Answer answer = es.post(INDEX + "/" + path, body);
        while (answer.status() == CONFLICT) {
            answer = es.post(INDEX + "/" + path, body);
        }
        return answer;
    }

    private static String id(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8);
    }
}
