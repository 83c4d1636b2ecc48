package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Admission.Refusal;
import org.treerename.http.Answer;

/** The problems that an answer can report. Each problem has an HTTP status and a title for people. */
enum Problem {
    INVALID_REQUEST(400, "The request is not valid"),
    MALFORMED_HTTP(400, "The HTTP request is malformed"),
    UNAUTHORIZED(401, "A valid token is required"),
    MISSING_RIGHT_READ(403, "The token does not have the right to read"),
    MISSING_RIGHT_RENAME(403, "The token does not have the right to rename"),
    FOREIGN_ORIGIN(Refusal.FOREIGN_ORIGIN.status(), Refusal.FOREIGN_ORIGIN.title()),
    FOREIGN_CERTIFICATE(403, "The gateway does not accept the name in the client certificate"),
    NOT_FOUND(404, "The gateway has no resource at this path"),
    UNKNOWN_REQUEST(404, "The journal has no rename with this id"),
    UNKNOWN_NAMESPACE(404, "No namespace has this name"),
    METHOD_NOT_ALLOWED(405, "The resource does not accept this method"),
    NOT_ACCEPTABLE(406, "The request does not accept the media type of the resource"),
    ALREADY_DECIDED(409, "The rename can no longer be cancelled"),
    NOT_REVERSIBLE(409, "The rename cannot be undone"),
    REQUEST_ID_REUSED(409, "The id belongs to another request"),
    VIEW_EXPIRED(410, "The view of this page is closed"),
    TOO_LARGE(413, "The request is too large"),
    URI_TOO_LONG(414, "The URL is too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "The media type of the body is not supported"),
    FOREIGN_HOST(Refusal.FOREIGN_HOST.status(), Refusal.FOREIGN_HOST.title()),
    TOO_MANY_REQUESTS(429, "The caller has sent too many requests"),
    DEFECT(500, "A defect in the gateway"),
    NO_ANSWER(503, "A server behind the gateway does not answer, or it refuses a request"),
    SEARCH_TOO_SLOW(503, "The search takes too long"),
    TREE_CHANGED(503, "The tree changes too fast for a consistent answer"),
    OVERLOADED(503, "The gateway is overloaded"),
    HTTP_VERSION(505, "Only HTTP/1.1 is supported");

    private final int status;
    private final String title;

    Problem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    /**
     * Returns the answer that reports this problem.
     *
     * @param field the field that is wrong; null if no field causes the problem
     */
    Answer answer(String detail, @Nullable String field, Map<String, String> headers) {
        ObjectNode json = Json.object()
                .put("type", type())
                .put("title", title)
                .put("status", status)
                .put("detail", detail);
        if (field != null) {
            json.put("field", field);
        }
        return Answer.problem(status, json, headers);
    }

    /** Returns the URI by which programs recognize this problem. */
    String type() {
        return "urn:tree-rename:problem:" + name().toLowerCase(Locale.ROOT);
    }
}
