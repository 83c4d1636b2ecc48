package org.treerename.endtoend;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/** Runs a real gateway as a separate process. */
final class GatewayProcess implements AutoCloseable {

    private static final String MAIN = "org.treerename.producer.http.Main";
    private static final Pattern URL = Pattern.compile("the gateway is on (http://[0-9.:]+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Log.PATIENCE;

    private final ChildProcess process;
    private final Path log;
    private final String url;

    private GatewayProcess(ChildProcess process, Path log) {
        this.process = process;
        this.log = log;
        this.url = Awaitility.await("the gateway logs its URL")
                .atMost(PATIENCE)
                .until(this::loggedUrl, loggedUrl -> !loggedUrl.isEmpty());
    }

    /** Starts a gateway and waits until it listens.
     *
     * @param options the options in addition to the addresses of the servers
     */
    static GatewayProcess start(String... options) {
        Path log = Path.of("target", "gateways", UUID.randomUUID() + ".log");
        List<String> arguments = new ArrayList<>(List.of(
                "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                "--elasticsearch-url=" + TestServers.elasticsearchUrl()));
        arguments.addAll(Arrays.asList(options));
        try {
            String classPath = String.join(File.pathSeparator, ClassPath.jars());
            return new GatewayProcess(
                    JavaCommand.of(MAIN, classPath, log)
                            .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                            .arguments(arguments.toArray(String[]::new))
                            .start(),
                    log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String loggedUrl() throws IOException {
        Matcher loggedUrl = URL.matcher(Files.readString(log));
        return loggedUrl.find() ? loggedUrl.group(1) : "";
    }

    String url() {
        return url;
    }

    long pid() {
        return process.pid();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
    }

    HttpRequest.Builder posting(JsonNode request) {
        return to("/v1/renames")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(request.toString()));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(to(path));
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return Es.JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(response.body(), e);
        }
    }

    /** Reads a stream of events to its end. Returns the data of the events with this name. */
    List<JsonNode> events(String path, String name) {
        List<JsonNode> events = new ArrayList<>();
        for (String event : get(path).body().split("\n\n", -1)) {
            String[] lines = event.split("\n", -1);
            if (Arrays.asList(lines).contains("event:" + name)) {
                Arrays.stream(lines)
                        .filter(line -> line.startsWith("data:"))
                        .map(line -> line.substring("data:".length()))
                        .forEach(data -> events.add(read(data)));
            }
        }
        return events;
    }

    /**
     * Reads a stream of events to its end. Calls {@code seen} with the name and the data of each event when the event
     * arrives.
     */
    void follow(String path, BiConsumer<String, JsonNode> seen) {
        HttpResponse<Stream<String>> response;
        try {
            response = CLIENT.send(to(path).build(), BodyHandlers.ofLines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        AtomicReference<String> name = new AtomicReference<>("");
        response.body().forEach(line -> {
            if (line.startsWith("event:")) {
                name.set(line.substring("event:".length()));
            } else if (line.startsWith("data:")) {
                seen.accept(name.get(), read(line.substring("data:".length())));
            }
        });
    }

    private static JsonNode read(String json) {
        try {
            return Es.JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(json, e);
        }
    }

    /** Sends the stop signal to the gateway, and waits until the gateway has ended. */
    @Override
    public void close() {
        process.close();
    }
}
