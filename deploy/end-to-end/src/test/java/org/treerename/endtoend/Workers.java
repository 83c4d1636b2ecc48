package org.treerename.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/** Real worker processes, each a JVM of its own. */
final class Workers implements AutoCloseable {

    private final List<ChildProcess> processes = new ArrayList<>();
    private final Path logs = Path.of("target", "workers");

    private Workers() {}

    /**
     * Starts them and waits until each is live.
     *
     * @param options of each worker, on top of where the servers are
     */
    static Workers start(int count, String... options) {
        Workers workers = new Workers();
        long before = live();
        try {
            for (int i = 0; i < count; i++) {
                workers.add(options);
            }
        } catch (IOException e) {
            workers.close();
            throw new IllegalStateException(e);
        }
        Awaitility.await("workers").atMost(Duration.ofMinutes(1)).until(() -> live() >= before + count);
        return workers;
    }

    private static long live() {
        return Es.control("process").stream()
                .filter(process -> process.path("state").asText().equals("live"))
                .count();
    }

    private void add(String... options) throws IOException {
        Files.createDirectories(logs);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String[] arguments = Stream.concat(
                        Stream.of(
                                "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                                "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                                "--group-id=end-to-end"),
                        Stream.of(options))
                .toArray(String[]::new);
        processes.add(JavaCommand.of("org.treerename.worker.Main", classPath, logs.resolve(UUID.randomUUID() + ".log"))
                .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .arguments(arguments)
                .start());
    }

    List<ChildProcess> processes() {
        return processes;
    }

    /** Asks all to stop, and waits for it. */
    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
    }
}
