package org.treerename.endtoend;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;
import picocli.CommandLine;

/** Starts, queries and stops real processes of one service. Each process has its own JVM. */
final class Services implements AutoCloseable {

    private static final String ELASTICSEARCH = "--elasticsearch-url=";
    private static final String KAFKA = "--kafka-bootstrap-servers=";

    /** Worker and janitor each contain the logging configuration. Without the option, Logback warns of two copies. */
    private static final List<String> JVM = List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=org/treerename/service/logback.xml");

    private static final String OF_JVM = "-D";
    private static final Pattern HTTP = Pattern.compile("metrics and health are on (http://[0-9.:]+)");
    private static final Pattern LIVE = Pattern.compile("([A-Za-z0-9.-]+) is live\\b");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Elasticsearch elasticsearch;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    /** The class path of the processes; null for the class path of the tests. */
    private final @Nullable List<String> ownClassPath;

    private Services(Elasticsearch elasticsearch, @Nullable List<String> ownClassPath) {
        this.elasticsearch = elasticsearch;
        this.ownClassPath = ownClassPath;
    }

    /**
     * Starts processes and blocks until each process is live.
     *
     * @param options the options of each process, without the addresses of the servers; an option that begins with -D
     *     is passed to the JVM
     */
    static Services start(String service, String mainClass, int count, List<String> options) {
        return start(Elasticsearch.SHARED, service, mainClass, count, options);
    }

    /** Starts processes that use this Elasticsearch, and blocks until each process is live. */
    static Services start(
            Elasticsearch elasticsearch, String service, String mainClass, int count, List<String> options) {
        return start(new Services(elasticsearch, null), service, mainClass, count, options);
    }

    /** Starts a process with this class path, and blocks until it is live. */
    static Services start(String service, String mainClass, List<String> classPath, List<String> options) {
        return start(new Services(Elasticsearch.SHARED, classPath), service, mainClass, 1, options);
    }

    private static Services start(
            Services services, String service, String mainClass, int count, List<String> options) {
        try {
            for (int i = 0; i < count; i++) {
                services.add(service, mainClass, options);
            }
            Awaitility.await(service)
                    .atMost(Log.PATIENCE)
                    .until(() -> services.logs.stream()
                            .noneMatch(log -> incarnations(log).isEmpty()));
        } catch (RuntimeException e) {
            services.close();
            throw e;
        }
        services.logs.forEach(log -> services.ids.add(incarnations(log).getFirst()));
        return services;
    }

    /** Starts a process with invalid settings. The process must end at once. Returns its output. */
    static String refused(Elasticsearch elasticsearch, String mainClass, String... options) {
        return ended(CommandLine.ExitCode.USAGE, elasticsearch, mainClass, options);
    }

    /** Starts a process that must end at once with this exit code. Returns its output. */
    static String ended(int expected, Elasticsearch elasticsearch, String mainClass, String... options) {
        try (Services services = new Services(elasticsearch, null)) {
            services.add("refused", mainClass, List.of(options));
            int exitCode = services.processes.getFirst().waitFor(Log.PATIENCE);
            if (exitCode != expected) {
                throw new AssertionError("expected exit code " + expected + " of " + mainClass + ", found " + exitCode);
            }
            return Files.readString(services.logs.getFirst());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process ids in the order in which the JVM logged them, each when its process became live. */
    private static List<String> incarnations(Path log) {
        try {
            return LIVE.matcher(Files.readString(log))
                    .results()
                    .map(live -> live.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the ids of all live processes of a service. */
    static Set<String> live(String service) {
        return Es.control("process").stream()
                .filter(process -> process.path("service").asText().equals(service))
                .filter(process -> process.path("state").asText().equals("live"))
                .map(process -> process.path("process_id").asText())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns the state in a process document; empty if the document does not exist. */
    static String state(String processId) {
        return state(Elasticsearch.SHARED, processId);
    }

    static String state(Elasticsearch elasticsearch, String processId) {
        return elasticsearch.control("process").stream()
                .filter(process -> process.path("process_id").asText().equals(processId))
                .map(process -> process.path("state").asText())
                .findFirst()
                .orElse("");
    }

    private void add(String service, String mainClass, List<String> options) {
        List<String> arguments = new ArrayList<>();
        if (options.stream().noneMatch(option -> option.startsWith(KAFKA))) {
            arguments.add(KAFKA + TestServers.kafkaBootstrapServers());
        }
        if (options.stream().noneMatch(option -> option.startsWith(ELASTICSEARCH))) {
            arguments.add(ELASTICSEARCH + elasticsearch.urls());
        }
        options.stream().filter(option -> !option.startsWith(OF_JVM)).forEach(arguments::add);
        Path log = Path.of("target", service + "s", UUID.randomUUID() + ".log");
        logs.add(log);
        try {
            List<String> ofJvm =
                    options.stream().filter(option -> option.startsWith(OF_JVM)).toList();
            List<String> classPath = ClassPath.entries();
            List<String> jvm = new ArrayList<>(JVM);
            jvm.addAll(ofJvm);
            if (ownClassPath != null) {
                classPath = ownClassPath;
            } else if (ofJvm.isEmpty()) {
                // only processes with a JVM option need the folder of the test classes
                classPath = ClassPath.jars();
            }
            processes.add(JavaCommand.of(mainClass, String.join(File.pathSeparator, classPath), log)
                    .jvmOptions(jvm.toArray(String[]::new))
                    .arguments(arguments.toArray(String[]::new))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<ChildProcess> processes() {
        return processes;
    }

    /** Returns the files with the standard output and standard error of each process. */
    List<Path> logs() {
        return logs;
    }

    /** Sends an HTTP request to the first process, and returns the response. */
    HttpResponse<String> get(String path) {
        try {
            Matcher url = HTTP.matcher(Files.readString(logs.getFirst()));
            if (!url.find()) {
                throw new IllegalStateException(
                        "expected the URL of the HTTP server in the log " + logs.getFirst() + ", found none");
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create(url.group(1) + path))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first process id of each JVM. */
    Set<String> ids() {
        return Set.copyOf(ids);
    }

    /** Returns the process ids that JVMs received after a fence. The first process id of each JVM is not included. */
    Set<String> reborn() {
        return logs.stream().flatMap(log -> incarnations(log).stream().skip(1)).collect(Collectors.toSet());
    }

    /** Stops all processes gracefully, and waits for their end. */
    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
    }
}
