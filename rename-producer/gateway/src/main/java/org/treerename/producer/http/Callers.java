package org.treerename.producer.http;

import java.util.Map;
import java.util.Optional;
import org.treerename.http.Admission;
import org.treerename.http.Call;
import org.treerename.http.Caller;

/** Determines the caller of a request. Any thread may call this class. */
final class Callers {

    /** The name of a caller that has no token and no certificate. */
    static final String ANONYMOUS = Caller.ANONYMOUS;

    private final Admission admission;

    Callers(Admission admission) {
        this.admission = admission;
    }

    /**
     * Returns the owner of the token in the headers. If the gateway requires no token, returns a caller with all
     * rights. The name of this caller is the name in the certificate, or {@link #ANONYMOUS}.
     *
     * @param certificate the common name of the client certificate of the connection; empty if there is none
     * @throws ProblemException if the certificate has the name {@link #ANONYMOUS}; if a token is required, and the request has no accepted token; or if no token is
     *     required, and the page of another site may have sent the request
     */
    Caller of(Call.Headers headers, Optional<String> certificate) {
        if (!admission.takesTokens()) {
            admission.refusal(headers).ifPresent(refusal -> {
                throw new ProblemException(
                        switch (refusal) {
                            case FOREIGN_HOST -> Problem.FOREIGN_HOST;
                            case FOREIGN_ORIGIN -> Problem.FOREIGN_ORIGIN;
                        });
            });
            if (certificate.filter(ANONYMOUS::equals).isPresent()) {
                throw new ProblemException(
                        Problem.FOREIGN_CERTIFICATE,
                        "expected another common name than " + ANONYMOUS + ", which is the name of callers without one",
                        null);
            }
            return Caller.withAllRights(certificate.orElse(ANONYMOUS));
        }
        return admission
                .ownerOf(headers)
                .orElseThrow(() -> new ProblemException(
                        Problem.UNAUTHORIZED,
                        "expected the header Authorization: Bearer, with a token that the gateway accepts",
                        null,
                        Map.of(
                                "WWW-Authenticate",
                                headers.bearerToken().isPresent() ? "Bearer error=\"invalid_token\"" : "Bearer")));
    }
}
