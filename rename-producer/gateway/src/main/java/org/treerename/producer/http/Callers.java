package org.treerename.producer.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Tokens;

/** Determines the name of a caller. Any thread may call this class. */
final class Callers {

    /** The name of a caller that has no token and no certificate. */
    static final String ANONYMOUS = "http";

    private static final String SCHEME = "Bearer ";

    private final @Nullable Tokens tokens;

    /**
     * @param tokens the accepted tokens; null if the gateway requires none
     */
    Callers(@Nullable Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * Returns the name of the token or, if the gateway requires no token, of the certificate.
     *
     * @param authorization the values of the header {@code Authorization}
     * @param certificate the common name of the client certificate of the connection; empty if there is none
     * @throws ProblemException if a token is required, and the request has no accepted token
     */
    String nameOf(List<String> authorization, Optional<String> certificate) {
        if (tokens == null) {
            return certificate.orElse(ANONYMOUS);
        }
        String given = authorization.size() == 1 ? authorization.getFirst() : "";
        boolean isBearer = given.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return Optional.of(given)
                .filter(header -> isBearer)
                .flatMap(header ->
                        tokens.nameOf(header.substring(SCHEME.length()).strip()))
                .orElseThrow(() -> new ProblemException(
                        Problem.UNAUTHORIZED,
                        "expected the header Authorization: Bearer, with a token that the gateway accepts",
                        null,
                        Map.of("WWW-Authenticate", isBearer ? "Bearer error=\"invalid_token\"" : "Bearer")));
    }
}
