package org.treerename.producer.http;

import java.util.Map;
import java.util.Optional;
import org.treerename.http.Admission;
import org.treerename.http.Call;
import org.treerename.http.Caller;

/** Determines the caller of a request. */
final class Callers {

    private final Admission admission;

    Callers(Admission admission) {
        this.admission = admission;
    }

    /**
     * Returns the owner of the token in the headers. If the gateway requires no token, returns a caller with all
     * rights. The name of this caller is the name in the certificate, or {@link Caller#ANONYMOUS}.
     *
     * @param certificate the common name of the client certificate of the connection; empty if there is none
     * @throws ProblemException if the certificate has the name {@link Caller#ANONYMOUS}; if a token is required, and
     *     the request has no accepted token; or if no token is required, and the page of another site may have sent the
     *     request
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
            if (certificate.filter(Caller.ANONYMOUS::equals).isPresent()) {
                throw new ProblemException(
                        Problem.FOREIGN_CERTIFICATE,
                        "expected another common name than " + Caller.ANONYMOUS
                                + ", which is the name of callers without one",
                        null);
            }
            return Caller.withAllRights(certificate.orElse(Caller.ANONYMOUS));
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
