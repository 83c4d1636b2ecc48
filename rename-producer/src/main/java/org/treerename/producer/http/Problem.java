package org.treerename.producer.http;

import java.util.Locale;

/** What can be wrong, each with its HTTP status and a title for people. */
enum Problem {
    INVALID_REQUEST(400, "The request cannot be carried out as it stands"),
    MALFORMED_HTTP(400, "This is no HTTP request that can be understood"),
    UNAUTHORIZED(401, "A valid token is needed"),
    NOT_FOUND(404, "Nothing is here"),
    UNKNOWN_REQUEST(404, "The journal knows no rename under this id"),
    UNKNOWN_NAMESPACE(404, "No namespace has this name"),
    METHOD_NOT_ALLOWED(405, "This method is not for this path"),
    NOT_ACCEPTABLE(406, "What is here comes in another media type"),
    ALREADY_DECIDED(409, "It was decided before it could be cancelled"),
    REQUEST_ID_REUSED(409, "The id belongs to another request"),
    VIEW_EXPIRED(410, "The view of this page is closed"),
    TOO_LARGE(413, "The request is too large"),
    URI_TOO_LONG(414, "The URL is too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body is of another media type"),
    TOO_MANY_REQUESTS(429, "Too many requests in this second"),
    DEFECT(500, "A defect of the gateway"),
    NO_ANSWER(503, "A server behind the gateway does not answer"),
    TREE_CHANGED(503, "The tree changes too fast for a consistent answer"),
    OVERLOADED(503, "The gateway has too much to do"),
    HTTP_VERSION(505, "HTTP/1.1 is spoken here");

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

    /** As a URI, for programs. */
    String type() {
        return "urn:tree-rename:problem:" + name().toLowerCase(Locale.ROOT);
    }
}
