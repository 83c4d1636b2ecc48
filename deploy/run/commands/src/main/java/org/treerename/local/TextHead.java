package org.treerename.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the beginning of a text file. */
final class TextHead {

    static final int MAX_BYTES = 4 * 1024;

    private TextHead() {}

    /**
     * Returns the first four kilobytes of the file; empty if they are not valid UTF-8 or contain NUL. If the last
     * character is incomplete because of the limit, the character is left out.
     *
     * @throws IOException if the file cannot be read
     */
    static Optional<String> of(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES);
        }
        return text(bytes, bytes.length == MAX_BYTES);
    }

    /**
     * Returns the bytes as text; empty if they are not valid UTF-8 or contain NUL.
     *
     * @param cut whether the bytes may end in the middle of a character
     */
    static Optional<String> text(byte[] bytes, boolean cut) {
        for (byte b : bytes) {
            if (b == 0) {
                return Optional.empty();
            }
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, !cut);
        return result.isError() ? Optional.empty() : Optional.of(text.flip().toString());
    }
}
