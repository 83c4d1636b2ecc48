package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.ShardStatistics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.ContentTooLongException;
import org.apache.hc.core5.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Classifies the answers to requests, and the failures of requests. The effect of a request is unknown if no answer
 * arrives, if TLS fails, or if the status is 401, 408, 429 or 5xx. For a request to the control index, the effect is
 * also unknown if this index is unavailable. The caller interprets the statuses 404 and 409. Every other status above
 * 2xx means that Elasticsearch refuses the request permanently.
 */
final class AnswerStatus {

    /** The error type that Elasticsearch returns if an index or the cluster has a block that forbids the request. */
    static final String BLOCK = "cluster_block_exception";

    /** The error type that Elasticsearch returns if the index does not exist. */
    static final String NO_INDEX = "index_not_found_exception";

    private static final List<String> UNAVAILABLE =
            List.of(BLOCK, NO_INDEX, "index_closed_exception", "no_shard_available_action_exception");

    private static final int MOST_REASON_CHARACTERS = 500;

    private AnswerStatus() {}

    /**
     * Returns the answer if its status is 2xx, 404 or 409.
     *
     * @param ofControlIndex whether the request reads or writes documents of the control index
     * @throws NoAnswerException if the effect of the request is unknown
     * @throws RefusedException if Elasticsearch refuses the request permanently
     */
    static Elastic.Answer checked(String request, Elastic.Answer answer, boolean ofControlIndex) {
        if (answer.isOk() || answer.status() == HttpStatus.SC_NOT_FOUND || answer.status() == HttpStatus.SC_CONFLICT) {
            return answer;
        }
        if (answer.status() == HttpStatus.SC_UNAUTHORIZED) {
            String reason = answer.json().path("error").path("reason").asText();
            throw NoAnswerException.authenticationFailed(
                    "Elasticsearch rejected the credentials of this process: " + reason, null);
        }
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        String message = request + " answered " + answer.status() + ": "
                + body.substring(0, Math.min(body.length(), MOST_REASON_CHARACTERS));
        boolean unavailable = ofControlIndex && isUnavailable(answer.status(), body);
        if (isTransient(answer.status()) || unavailable) {
            throw new NoAnswerException(message, null);
        }
        throw new RefusedException(message);
    }

    /** Returns the exception for a request that got no usable answer. */
    static RuntimeException failure(String request, IOException failure) {
        if (isTooLarge(failure)) {
            return new TooLargeException(request + ": the answer is too large: " + failure, failure);
        }
        return tlsFailure(failure)
                .map(tls -> NoAnswerException.authenticationFailed(
                        "the TLS connection to Elasticsearch failed: " + tls.getMessage(), failure))
                .orElseGet(() -> new NoAnswerException(request + " got no answer: " + failure, failure));
    }

    /** Returns empty if a failure of the network connection caused the TLS failure. */
    private static Optional<SSLException> tlsFailure(Throwable failure) {
        Optional<SSLException> found = Optional.empty();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException tls) {
                found = Optional.of(tls);
            } else if (found.isPresent() && cause instanceof IOException) {
                return Optional.empty();
            }
        }
        return found;
    }

    static boolean isTooLarge(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ContentTooLongException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the answer comes from a node without a working cluster, or from a proxy. The status alone does
     * not show this: Elasticsearch also answers 503 if only the shards of one index are unavailable. In this case,
     * requests to other indices still succeed.
     */
    static boolean isFromNoCluster(Elastic.Answer answer) {
        if (answer.status() < 502 || answer.status() > 504) {
            return false;
        }
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        return body.contains("master_not_discovered_exception") || body.contains(BLOCK) || !body.contains("\"error\"");
    }

    /**
     * Returns whether the error means that an index is unavailable. An operator can correct this error: for example,
     * the operator grants a privilege, opens the index or removes a block. So a process with unfinished work waits and
     * retries the request.
     *
     * @param reason a text that contains the type of the error
     */
    static boolean isUnavailable(int status, String reason) {
        return status == HttpStatus.SC_FORBIDDEN || UNAVAILABLE.stream().anyMatch(reason::contains);
    }

    /**
     * Throws if a request did not succeed on every shard.
     *
     * @param what the name of the request in the error message
     * @throws NoAnswerException if the request failed on a shard
     */
    static void requireAll(@Nullable ShardStatistics shards, String what) {
        if (shards == null || shards.failed().intValue() != 0) {
            throw new NoAnswerException(what + " is incomplete: " + shards, null);
        }
    }

    /**
     * Throws if Elasticsearch answers that an index or alias does not exist. A proxy may also answer 404.
     *
     * @throws RefusedException if there is no such index or alias
     */
    static void requireIndex(Elastic.Answer answer, String index) {
        if (answer.status() == 404
                && NO_INDEX.equals(answer.json().path("error").path("type").asText())) {
            throw new RefusedException("there is no index or alias " + index);
        }
    }

    /** Returns whether a request or bulk item with this status may succeed in a retry, or has an unknown effect. */
    static boolean isTransient(int status) {
        return status == 408 || status == 429 || status >= 500;
    }
}
