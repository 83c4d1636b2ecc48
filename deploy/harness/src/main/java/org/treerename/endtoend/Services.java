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
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.treerename.runtime.Settings;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;
import picocli.CommandLine;

/** Real processes of one service, each a JVM of its own, which may be told to die. */
final class Services implements AutoCloseable {

    private static final String ELASTICSEARCH = "--elasticsearch-url=";
    private static final String KAFKA = "--kafka-bootstrap-servers=";

    /** The log by its name, for worker and janitor bring one each, alike, and two on one class path would be warned of. */
    private static final List<String> JVM = List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dtree-rename.steps=DEBUG",
            "-Dlogback.configurationFile=org/treerename/host/logback.xml");

    private static final String OF_JVM = "-D";
    private static final Pattern HTTP = Pattern.compile("metrics and health are on (http://[0-9.:]+)");
    private static final Pattern LIVE = Pattern.compile("([A-Za-z0-9.-]+) is live\\b");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Elasticsearch elasticsearch;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    private Services(Elasticsearch elasticsearch) {
        this.elasticsearch = elasticsearch;
    }

    /**
     * Starts them and waits until each is live.
     *
     * @param options of each, on top of where the servers are; those that begin with -D are of its virtual machine
     */
    static Services start(String service, String mainClass, int count, List<String> options) {
        return start(Elasticsearch.SHARED, service, mainClass, count, options);
    }

    /** Those that work on this Elasticsearch. */
    static Services start(
            Elasticsearch elasticsearch, String service, String mainClass, int count, List<String> options) {
        Services services = new Services(elasticsearch);
        try {
            for (int i = 0; i < count; i++) {
                services.add(service, mainClass, options);
            }
            Awaitility.await(service)
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> services.logs.stream()
                            .noneMatch(log -> incarnations(log).isEmpty()));
        } catch (RuntimeException e) {
            services.close();
            throw e;
        }
        services.logs.forEach(log -> services.ids.add(incarnations(log).getFirst()));
        return services;
    }

    /** What one tells that ends at once, because its settings cannot be. */
    static String refused(Elasticsearch elasticsearch, String mainClass, String... options) {
        return ended(CommandLine.ExitCode.USAGE, elasticsearch, mainClass, options);
    }

    /** What a service says that ends at once, with this exit code. */
    static String ended(int expected, Elasticsearch elasticsearch, String mainClass, String... options) {
        try (Services services = new Services(elasticsearch)) {
            services.add("refused", mainClass, List.of(options));
            int exitCode = services.processes.getFirst().waitFor(Duration.ofMinutes(1));
            if (exitCode != expected) {
                throw new AssertionError(mainClass + " ended with " + exitCode);
            }
            return Files.readString(services.logs.getFirst());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process ids that one process has logged when it was live, in order. */
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

    /** The ids of all live processes of a service. */
    static Set<String> live(String service) {
        return Es.control("process").stream()
                .filter(process -> process.path("service").asText().equals(service))
                .filter(process -> process.path("state").asText().equals("live"))
                .map(process -> process.path("process_id").asText())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** As its document tells it; empty if there is none. */
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
            if (ofJvm.isEmpty()) {
                // only an option names a file of the tests, which are in a folder, and a class archive has no folders
                classPath = ClassPath.jars();
                jvm.addAll(ClassPath.archive(mainClass));
            }
            processes.add(JavaCommand.of(mainClass, String.join(File.pathSeparator, classPath), log)
                    .jvmOptions(jvm.toArray(String[]::new))
                    .environment(Map.of(Settings.TEST_STACK, "true"))
                    .arguments(arguments.toArray(String[]::new))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<ChildProcess> processes() {
        return processes;
    }

    /** What each has written to its standard streams. */
    List<Path> logs() {
        return logs;
    }

    /** What the first of them answers over HTTP. */
    HttpResponse<String> get(String path) {
        try {
            Matcher url = HTTP.matcher(Files.readString(logs.getFirst()));
            if (!url.find()) {
                throw new IllegalStateException("where it listens is not told in " + logs.getFirst());
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

    /** The ids under which they began. */
    Set<String> ids() {
        return Set.copyOf(ids);
    }

    /** The ids under which they began anew, after they were fenced. */
    Set<String> reborn() {
        return logs.stream().flatMap(log -> incarnations(log).stream().skip(1)).collect(Collectors.toSet());
    }

    /** Asks all to stop, and waits for it. */
    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
    }
}
