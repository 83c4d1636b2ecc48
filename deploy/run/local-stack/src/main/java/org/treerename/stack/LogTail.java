package org.treerename.stack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads the lines that were written to a log since a given moment. Returns only the last 8 KiB, so that the lines fit
 * into a message.
 */
final class LogTail {
    static final int LIMIT_BYTES = 8 * 1024;

    private final Path log;
    private final long start;

    private LogTail(Path log, long start) {
        this.log = log;
        this.start = start;
    }

    static LogTail of(Path log) {
        return new LogTail(log, 0);
    }

    /** Returns a tail that contains only the lines that are written from now on. */
    static LogTail fromNow(Path log) {
        return new LogTail(log, log.toFile().length());
    }

    String text() {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(start, file.length() - LIMIT_BYTES);
            file.seek(from);
            byte[] end = new byte[(int) Math.max(0, file.length() - from)];
            file.readFully(end);
            return new String(end, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "(cannot be read: " + e + ")";
        }
    }

    @Override
    public String toString() {
        return "the end of " + log + ":\n" + text();
    }
}
