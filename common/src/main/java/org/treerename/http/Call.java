package org.treerename.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An HTTP request.
 *
 * @param path the path as it was sent
 * @param query the query as it was sent, without its question mark; empty if there is none
 * @param body returns the body; an empty array if there is none
 */
public record Call(String method, String path, String query, Headers headers, Supplier<byte[]> body) {

    private static final String BEARER = "Bearer ";

    /**
     * The headers of a request. Their names are not case-sensitive. A header that was not sent has an empty list of
     * values.
     */
    public interface Headers {

        List<String> values(String name);

        /** Returns the first value of a header. */
        default Optional<String> first(String name) {
            return values(name).stream().findFirst();
        }

        /** Returns the value of a header if the header was sent exactly once; otherwise empty. */
        default Optional<String> only(String name) {
            List<String> values = values(name);
            return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
        }

        /**
         * Returns the bearer token (RFC 6750). The token may be an empty text. The result is empty if the request does
         * not have exactly one header with a bearer token.
         */
        default Optional<String> bearerToken() {
            return only("Authorization")
                    .filter(given -> given.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                    .map(given -> given.substring(BEARER.length()).strip());
        }
    }

    /** Returns whether the request only reads: its method is {@code GET} or {@code HEAD}. */
    public boolean isReading() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
