package org.treerename.producer;

import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;

/** Checks a request before the library sends it. */
public final class RequestCheck {

    private RequestCheck() {}

    /** Returns the reason why a request cannot be sent; empty if the request can be sent. */
    public static Optional<String> problem(RenameRequest request, List<String> after) {
        return RequestIds.problem(request.requestId())
                .or(() -> RequestCodec.afterProblem(request.requestId(), after))
                .or(() -> isWellFormed(request)
                        ? Optional.empty()
                        : Optional.of("request " + request.requestId()
                                + " contains a lone surrogate, which UTF-8 cannot encode; correct the request"));
    }

    private static boolean isWellFormed(RenameRequest request) {
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        return Stream.of(
                        request.namespace(),
                        request.source(),
                        request.destination(),
                        Objects.requireNonNullElse(request.requestedBy(), ""))
                .allMatch(encoder::canEncode);
    }
}
