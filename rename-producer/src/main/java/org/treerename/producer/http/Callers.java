package org.treerename.producer.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.Tokens;

/** Who calls, as far as it is asked who calls. Any thread may call it. */
final class Callers {

    /** Who calls where nobody is asked. */
    static final String ANYBODY = "http";

    private static final String SCHEME = "Bearer ";

    private final @Nullable Tokens tokens;

    /**
     * @param tokens null where none is asked for
     */
    Callers(@Nullable Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * The name of the token or, where none is asked for, of the certificate.
     *
     * @param authorization the values of that header
     * @param certificate the common name of the certificate that the connection was made with; empty if there was none
     * @throws ProblemException where a token is asked for, and there is none that is taken
     */
    String nameOf(List<String> authorization, Optional<String> certificate) {
        if (tokens == null) {
            return certificate.orElse(ANYBODY);
        }
        String given = authorization.size() == 1 ? authorization.getFirst() : "";
        boolean isBearer = given.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return Optional.of(given)
                .filter(header -> isBearer)
                .flatMap(header ->
                        tokens.nameOf(header.substring(SCHEME.length()).strip()))
                .orElseThrow(() -> new ProblemException(
                        Problem.UNAUTHORIZED,
                        "expected the header Authorization: Bearer, with a token that is taken here",
                        null,
                        Map.of("WWW-Authenticate", isBearer ? "Bearer error=\"invalid_token\"" : "Bearer")));
    }
}
