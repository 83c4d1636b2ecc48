package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** A program that prints its arguments, an environment variable, a property and the first byte of its input. */
    static final class Echo {
        public static void main(String[] arguments) throws Exception {
            System.out.println(String.join(",", arguments) + " " + System.getenv("WORD") + " "
                    + System.getProperty("option") + " " + System.in.read());
        }
    }

    static final class Failing {
        public static void main(String[] arguments) {
            Objects.requireNonNull(System.getProperty("no such property"), "on purpose");
        }
    }

    /** A program that ends only if it is killed, because its shutdown hook never returns. */
    static final class Stubborn {
        public static void main(String[] arguments) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(Stubborn::waitForever));
            Files.createFile(Path.of(arguments[0]));
            waitForever();
        }

        private static void waitForever() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void a_program_gets_its_arguments_options_and_environment_and_an_empty_input() throws Exception {
        ChildProcess child = command(Echo.class)
                .jvmOptions("-Doption=7")
                .arguments("a", "b")
                .environment(Map.of("WORD", "word"))
                .start();

        assertThat(child.waitFor(LONG)).isZero();
        assertThat(log()).hasContent("a,b word 7 -1");
    }

    @Test
    void a_program_that_throws_ends_with_exit_code_1_and_its_stack_trace() throws Exception {
        ChildProcess child = command(Failing.class).start();

        assertThat(child.waitFor(LONG)).isEqualTo(1);
        assertThat(log()).content().contains("Exception in thread \"main\"", "on purpose");
    }

    @Test
    void a_program_that_does_not_stop_is_killed() throws Exception {
        Path started = folder.resolve("started");
        ChildProcess child =
                command(Stubborn.class).arguments(started.toString()).start();
        Poll.until(LONG, () -> Files.exists(started));

        child.stop(Duration.ofMillis(200));

        assertThat(child.waitFor(LONG)).isEqualTo(128 + 9);
    }

    private JavaCommand command(Class<?> mainClass) {
        return JavaCommand.of(mainClass.getName(), System.getProperty("java.class.path"), log());
    }

    private Path log() {
        return folder.resolve("log");
    }
}
