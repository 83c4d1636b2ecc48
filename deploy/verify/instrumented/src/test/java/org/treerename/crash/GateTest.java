package org.treerename.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.runtime.ManualTime;

final class GateTest {

    private static final Duration HELD = Duration.ofSeconds(1);

    private final ManualTime time = ManualTime.startingAt("2026-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void blocks_until_the_file_that_it_created_is_deleted() {
        Path file = folder.resolve("gate");
        time.plan(HELD, () -> delete(file));

        new Gate(file, time).run();

        assertThat(time.now()).isEqualTo("2026-01-01T00:00:01Z");
    }

    @Test
    void blocks_no_run_after_the_file_is_deleted() {
        Path file = folder.resolve("gate");
        time.plan(HELD, () -> delete(file));
        Gate gate = new Gate(file, time);

        gate.run();
        assertThat(file).doesNotExist();
        gate.run();

        assertThat(time.now()).as("time after a run through an open gate").isEqualTo("2026-01-01T00:00:01Z");
    }

    @Test
    void refuses_a_file_that_exists() throws IOException {
        Path file = Files.createFile(folder.resolve("gate"));

        assertThatThrownBy(() -> new Gate(file, time).run())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot create the file " + file + " of the gate");
    }

    @Test
    void returns_when_its_thread_is_interrupted() {
        Thread.currentThread().interrupt();

        new Gate(folder.resolve("gate"), time).run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(time.now()).isEqualTo("2026-01-01T00:00:00Z");
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
