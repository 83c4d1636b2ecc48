package org.treerename.producer.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a UTF-8 text with their numbers. Only one line at a time is in memory. */
final class Lines implements Closeable {

    /** The maximum number of bytes in a line: the size of the largest request that Kafka accepts. */
    static final int MAX_BYTES = 1 << 20;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final InputStream in;
    private long number;

    /**
     * A line, or the reason why the line cannot be read.
     *
     * @param number the number of the line; the first line has the number 1, and blank lines are counted
     * @param text the line without its line end; empty if there is a problem
     * @param problem the reason why the line cannot be read; empty if the line is readable
     */
    record Line(long number, String text, Optional<String> problem) {}

    Lines(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** Returns the next line; null after the last line. */
    @Nullable
    Line next() throws IOException {
        int next = in.read();
        if (next < 0) {
            return null;
        }
        number++;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean isTooLong = false;
        for (; next >= 0 && next != '\n'; next = in.read()) {
            isTooLong |= bytes.size() >= MAX_BYTES;
            if (!isTooLong) {
                bytes.write(next);
            }
        }
        return isTooLong ? unreadable("longer than " + MAX_BYTES + " bytes") : decoded(bytes.toByteArray());
    }

    private Line decoded(byte[] bytes) {
        int length = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return unreadable("not UTF-8");
        }
        if (number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
            text = text.substring(1);
        }
        return text.indexOf('\r') >= 0
                ? unreadable("a carriage return is inside the line; lines must end with \\n or \\r\\n")
                : new Line(number, text, Optional.empty());
    }

    private Line unreadable(String problem) {
        return new Line(number, "", Optional.of(problem));
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
