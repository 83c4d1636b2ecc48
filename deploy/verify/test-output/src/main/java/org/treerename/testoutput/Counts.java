package org.treerename.testoutput;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The numbers of passed, failed and skipped tests. Each run of a module's tests writes the three numbers as one line.
 */
record Counts(int passed, int failed, int skipped) {

    static final Counts NONE = new Counts(0, 0, 0);

    /** Returns the sums of the numbers in the lines that {@link #append} has written. */
    static Counts sum(List<String> lines) {
        return lines.stream().map(Counts::of).reduce(NONE, Counts::plus);
    }

    private static Counts of(String line) {
        String[] numbers = line.split(" ");
        return new Counts(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
    }

    Counts plus(Counts other) {
        return new Counts(passed + other.passed, failed + other.failed, skipped + other.skipped);
    }

    int all() {
        return passed + failed + skipped;
    }

    /** Adds the three numbers as one line to the end of a file. */
    void append(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(
                    file,
                    passed + " " + failed + " " + skipped + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns for example {@code Tests run: 15, Failures: 1, Errors: 0, Skipped: 2}. Maven prints a line in this format
     * after the tests, and build servers parse this line. Every failed test counts as a failure.
     */
    String text() {
        return "Tests run: " + all() + ", Failures: " + failed + ", Errors: 0, Skipped: " + skipped;
    }
}
