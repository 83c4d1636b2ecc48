package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first command of the README, on a small directory. */
final class DemoIT {

    private static final long MINUTES = 10;
    private static final int DIRECTORIES = 20;
    private static final int FILES = 25;

    @TempDir
    private Path folder;

    @Test
    void theDemoEndsWellAndLeavesNothing() throws IOException, InterruptedException {
        Path input = Files.createDirectory(folder.resolve("input"));
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            Path parent = Files.createDirectory(input.resolve("d" + directory));
            for (int file = 0; file < FILES; file++) {
                Files.writeString(parent.resolve("f" + file + ".txt"), "file " + file + " of " + directory);
            }
        }
        Path local = Files.createDirectory(folder.resolve("local"));
        Path told = folder.resolve("told.txt");

        Process demo = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Dtree-rename.local=" + local,
                        "-Dlogback.configurationFile=org/treerename/local/logback-local.xml",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Demo.class.getName(),
                        input.toString())
                .redirectErrorStream(true)
                .redirectOutput(told.toFile())
                .start();
        try {
            assertThat(demo.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
            assertThat(demo.exitValue()).as(() -> read(told)).isZero();
            assertThat(read(told))
                    .contains("Somebody was refused a lock, waited, and went on: yes.")
                    .contains("The audit finds nothing.")
                    .contains("The demo has ended well.");
            try (Stream<Path> left = Files.list(local.resolve("target"))) {
                assertThat(left).isEmpty();
            }
            assertThat(ProcessHandle.allProcesses()
                            .filter(process -> process.info()
                                    .arguments()
                                    .filter(arguments ->
                                            String.join(" ", arguments).contains(local.toString()))
                                    .isPresent())
                            .toList())
                    .as("processes that it has started")
                    .isEmpty();
        } finally {
            demo.descendants().forEach(ProcessHandle::destroyForcibly);
            demo.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
