package org.treerename.testoutput;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the file {@link Notes#FAILED} of one module. While the tests run, the last line of the file reports that the
 * tests did not finish. After the tests, the file contains one line for each failed test. If no test has failed, the
 * file does not exist. The unit tests of the module replace the file of the previous build. The integration tests of
 * the module keep the lines of the unit tests. Only one thread at a time may use this class.
 */
final class FailedTests {

    private final Path file;
    private final boolean adds;
    private List<String> before = List.of();
    private final List<String> lines = new ArrayList<>();
    private String unfinished = "";

    /** @param adds whether the file keeps the lines of the previous run of the tests */
    FailedTests(Path file, boolean adds) {
        this.file = file;
        this.adds = adds;
    }

    void begin(String module) {
        try {
            before = adds && Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unfinished = module + ": the tests did not finish; see the files in the target folder of this module";
        write();
    }

    void add(String line) {
        lines.add(line);
        write();
    }

    void end() {
        unfinished = "";
        write();
    }

    private void write() {
        List<String> all = new ArrayList<>(before);
        all.addAll(lines);
        if (!unfinished.isEmpty()) {
            all.add(unfinished);
        }
        try {
            if (all.isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.write(file, all);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
