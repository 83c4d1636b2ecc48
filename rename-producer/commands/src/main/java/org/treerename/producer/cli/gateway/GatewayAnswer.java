package org.treerename.producer.cli.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * The answer of a gateway to one request.
 *
 * @param request the method and the path of the request, for messages
 * @param json the body; a missing node if the body is not JSON
 * @param retryAfter the time to wait before the next try, from the header {@code Retry-After}; 1 s without this header
 */
public record GatewayAnswer(String url, String request, int status, JsonNode json, Duration retryAfter) {

    private static final String PROBLEM = "urn:tree-rename:problem:";
    private static final int SUCCESSES = 3;
    private static final int FAILURES = 5;
    private static final int CLASS = 100;

    /** Returns whether the gateway reports the given problem, for example {@code unknown_request}. */
    public boolean is(String problem) {
        return json.path("type").asText().equals(PROBLEM + problem);
    }

    /**
     * Returns whether the gateway is overloaded, or the caller sends too many requests. The same request may succeed
     * later.
     */
    public boolean isBusy() {
        return is("overloaded") || is("too_many_requests");
    }

    /**
     * Returns the body of a successful answer.
     *
     * @throws IllegalArgumentException if the gateway reports that the request is wrong
     * @throws NoAnswerException if the gateway failed, or if a server before or behind the gateway failed; the effect
     *     of the request is then unknown
     * @throws RefusedException if the gateway refuses the request for another reason
     */
    public JsonNode ok() {
        if (status / CLASS < SUCCESSES && !json.isMissingNode()) {
            return json;
        }
        String field = json.path("field").asText();
        String detail = json.path("detail").asText();
        boolean isOfGateway = json.path("type").asText().startsWith(PROBLEM);
        if (is("no_answer") || is("defect") || (status / CLASS == FAILURES && !isOfGateway)) {
            String found = isOfGateway
                    ? "the gateway " + url + " answers " + request + " with status " + status + ": " + problem(detail)
                    : "expected an answer from the gateway " + url + " to " + request + ", found status " + status
                            + " from another server; check the servers between this command and the gateway";
            throw new NoAnswerException(found, null);
        }
        if (is("unauthorized")) {
            throw new RefusedException("the gateway " + url + " accepts no request without a valid token;"
                    + " set a token with --token-file, TREE_RENAME_TOKEN or --token");
        }
        if (is("unknown_namespace") || is("invalid_request") || is("request_id_reused")) {
            throw new IllegalArgumentException(
                    "the gateway " + url + " refuses the request: " + (field.isEmpty() ? "" : field + ": ") + detail);
        }
        if (!isOfGateway || is("not_found") || is("method_not_allowed")) {
            throw new RefusedException("expected a rename-gateway of this version at " + url + ", found an answer to "
                    + request + " with status " + status + "; check --server");
        }
        throw new RefusedException("the gateway " + url + " refuses the request: " + problem(detail));
    }

    private String problem(String detail) {
        String title = json.path("title").asText();
        return detail.isEmpty() || detail.equals(title) ? title : title + ": " + detail;
    }
}
