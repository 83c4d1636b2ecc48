package org.treerename.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Describes the machine of a run. Needs Linux. */
final class Machine {

    private static final Path PROC = Path.of("/proc");

    private Machine() {}

    static String inWords() {
        return Runtime.getRuntime().availableProcessors() + " processors ("
                + value("cpuinfo", "model name") + "), memory " + value("meminfo", "MemTotal") + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    /** Returns the text after the colon in the first line that begins with {@code name}. */
    private static String value(String file, String name) {
        try {
            return Files.readString(PROC.resolve(file), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
