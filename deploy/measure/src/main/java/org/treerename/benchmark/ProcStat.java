package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * One process as Linux describes it in {@code /proc/PID/stat}.
 *
 * @param name the name of the program, at most 15 characters
 * @param processor the processor time of all threads of the process so far, in user and in kernel mode
 */
record ProcStat(String name, Duration processor) {

    /** The unit of the times in {@code /proc/PID/stat}. Linux always reports hundredths of a second. */
    static final Duration TICK = Duration.ofMillis(10);

    /**
     * The index of the field {@code utime}. The index counts only the fields after the name, which ends with the last
     * closing parenthesis of the text.
     */
    private static final int UTIME = 11;

    private static final int STIME = 12;

    /** Parses the text of {@code /proc/PID/stat}. The name of the program may contain spaces and parentheses. */
    static ProcStat parse(String text) {
        int begin = text.indexOf('(');
        int end = text.lastIndexOf(')');
        String[] fields =
                end < 0 ? new String[0] : text.substring(end + 1).trim().split(" ", -1);
        if (begin < 0 || fields.length <= STIME) {
            throw new IllegalArgumentException("expected the content of /proc/PID/stat, found \"" + text + "\"");
        }
        long ticks = Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]);
        return new ProcStat(text.substring(begin + 1, end), TICK.multipliedBy(ticks));
    }

    /** Reads a process of this machine. Returns an empty result if no process has this id. */
    static Optional<ProcStat> of(long pid) {
        try {
            return Optional.of(parse(
                    Files.readString(Path.of("/proc", String.valueOf(pid), "stat"), StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            // the process may have ended before this read, or between the opening and the read of the file
            if (ProcessHandle.of(pid).isEmpty()) {
                return Optional.empty();
            }
            throw new UncheckedIOException("cannot read /proc/" + pid + "/stat; processor times need Linux", e);
        }
    }
}
