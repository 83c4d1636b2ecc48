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

    /** Returns the ids of the requests that have a claim on this path. */
    static List<String> at(String namespace, String path) {
        return Elasticsearch.SHARED.locks().claims().stream()
                .filter(claim -> claim.namespace().equals(namespace))
                .filter(claim -> claim.path().equals(path))
                .map(LockDump.Claim::requestId)
                .toList();
    }

    /** Returns the ids of the requests that have a claim on a path of this namespace. */
    static List<String> in(String namespace) {
        return Elasticsearch.SHARED.locks().claims().stream()
                .filter(claim -> claim.namespace().equals(namespace))
                .map(LockDump.Claim::requestId)
                .distinct()
                .toList();
    }

    /** Blocks until this request has been refused and has left a claim. */
    static void awaitRefusal(String namespace, String requestId) {
        Awaitility.await("a claim of request " + requestId)
                .atMost(Log.PATIENCE)
                .until(() -> in(namespace).contains(requestId));
    }
}
