package org.treerename.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The lines of a committed file, with one line for each check that TLC has finished. A check does not run again if its
 * line is in the file. Each line contains a fingerprint of TLC's input. So a check runs again when its input has
 * changed.
 */
public record Checked(List<String> lines) {

    private static final String COMMENT = "#";
    private static final List<String> HEAD = List.of(
            "# What TLC has checked: the run, the SHA-256 of all that TLC reads in it (its archive, the modules, the"
                    + " configuration), the verdict.",
            "# Written by deploy/verify/model-check --record.");

    public Checked {
        lines = List.copyOf(lines);
    }

    /** Reads the file. If the file does not exist, the result has no lines. */
    public static Checked read(Path file) {
        try {
            return new Checked(
                    Files.exists(file)
                            ? Files.readAllLines(file).stream()
                                    .filter(line -> !line.startsWith(COMMENT))
                                    .toList()
                            : List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the content of a file with exactly these checks. */
    public static Checked of(List<Check> checks) {
        return new Checked(checks.stream().map(Check::line).toList());
    }

    public void write(Path file) {
        try {
            Files.write(file, Stream.concat(HEAD.stream(), lines.stream()).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether TLC has finished this check with the current input. */
    public boolean has(Check check) {
        return lines.contains(check.line());
    }
}
