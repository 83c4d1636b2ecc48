package org.treerename.endtoend;

import java.util.List;
import org.awaitility.Awaitility;
import org.treerename.checker.LockDump;

/**
 * Reads the claims in the lock tables. While a refused request waits for its locks, the request writes nothing except
 * its claim.
 */
final class Claims {

    private Claims() {}

    /** Returns the requests that claim a path. */
    static List<String> at(String namespace, String path) {
        return Elasticsearch.SHARED.locks().claims().stream()
                .filter(claim -> claim.namespace().equals(namespace))
                .filter(claim -> claim.path().equals(path))
                .map(LockDump.Claim::requestId)
                .toList();
    }

    /** Returns the requests that claim any path of a namespace. */
    static List<String> in(String namespace) {
        return Elasticsearch.SHARED.locks().claims().stream()
                .filter(claim -> claim.namespace().equals(namespace))
                .map(LockDump.Claim::requestId)
                .distinct()
                .toList();
    }

    /** Blocks until locks of other requests have refused a request. */
    static void awaitRefusal(String namespace, String requestId) {
        Awaitility.await("a claim of request " + requestId)
                .atMost(Log.PATIENCE)
                .until(() -> in(namespace).contains(requestId));
    }
}
