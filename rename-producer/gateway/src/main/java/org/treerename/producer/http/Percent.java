package org.treerename.producer.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Encodes and decodes texts in a URL (RFC 3986). A text is encoded as UTF-8. Each byte that is not an unreserved
 * character is written as {@code %XX}.
 */
final class Percent {

    private static final String UNRESERVED = "-._~";
    private static final HexFormat DIGITS = HexFormat.of().withUpperCase();
    private static final int HEX = 16;
    private static final int ENCODED = 3;

    private Percent() {}

    /**
     * Encodes one segment of a path. The segments {@code .} and {@code ..} are encoded as well, because clients and
     * proxies would otherwise resolve these segments.
     */
    static String encode(String text) {
        boolean isDots = text.equals(".") || text.equals("..");
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (!isDots && isUnreserved(c)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(DIGITS.toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || UNRESERVED.indexOf(c) >= 0;
    }

    /** Decodes a text. Returns empty if the text is not percent-encoded UTF-8. */
    static Optional<String> decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        int i = 0;
        while (i < encoded.length()) {
            char c = encoded.charAt(i);
            if (c > '~' || c < ' ') {
                return Optional.empty();
            }
            if (c != '%') {
                bytes.write(c);
                i++;
                continue;
            }
            int high = i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 1), HEX) : -1;
            int low = i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 2), HEX) : -1;
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            bytes.write(high * HEX + low);
            i += ENCODED;
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
