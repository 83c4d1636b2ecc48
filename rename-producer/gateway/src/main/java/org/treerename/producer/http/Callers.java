package org.treerename.producer.http;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.http.Call;
import org.treerename.http.Caller;
import org.treerename.http.Tokens;

/** Determines the caller of a request. Any thread may call this class. */
final class Callers {

    /** The name of a caller that has no token and no certificate. */
    static final String ANONYMOUS = "http";

    private final @Nullable Tokens tokens;

    /**
     * @param tokens the accepted tokens; null if the gateway requires none
     */
    Callers(@Nullable Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * Returns the owner of the token in the headers. If the gateway requires no token, returns a caller with all
     * rights. The name of this caller is the name in the certificate, or {@link #ANONYMOUS}.
     *
     * @param certificate the common name of the client certificate of the connection; empty if there is none
     * @throws ProblemException if a token is required, and the request has no accepted token
     */
    Caller of(Call.Headers headers, Optional<String> certificate) {
        if (tokens == null) {
            return Caller.withAllRights(certificate.orElse(ANONYMOUS));
        }
        Optional<String> token = headers.bearerToken();
        return token.flatMap(tokens::ownerOf)
                .orElseThrow(() -> new ProblemException(
                        Problem.UNAUTHORIZED,
                        "expected the header Authorization: Bearer, with a token that the gateway accepts",
                        null,
                        Map.of("WWW-Authenticate", token.isPresent() ? "Bearer error=\"invalid_token\"" : "Bearer")));
    }
}
