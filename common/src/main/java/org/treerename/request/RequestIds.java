package org.treerename.request;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Checks request ids. A request id has 1 to 200 bytes of UTF-8, without control characters. */
public final class RequestIds {

    public static final int MAX_BYTES = 200;

    private RequestIds() {}

    /** Returns the reason why a text is not a request id; empty if the text is a request id. */
    public static Optional<String> problem(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MAX_BYTES) {
            return Optional.of("a request_id must have 1 to " + MAX_BYTES + " bytes of UTF-8, found " + bytes);
        }
        if (text.codePoints().anyMatch(RequestIds::isForbidden)) {
            return Optional.of("a request_id must not contain a control character or a lone surrogate");
        }
        return Optional.empty();
    }

    private static boolean isForbidden(int codePoint) {
        return Character.isISOControl(codePoint)
                || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
