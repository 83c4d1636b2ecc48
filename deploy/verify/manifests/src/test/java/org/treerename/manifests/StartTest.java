package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that each service starts with the settings and files of its container. The service must answer its probes
 * although Kafka and Elasticsearch do not run.
 */
class StartTest {

    private static final Manifests BUILT = Kustomization.build(Project.manifests("overlays/prod"));
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Map<String, Class<?>> MAINS = Map.of(
            "worker", org.treerename.worker.Main.class,
            "janitor", org.treerename.janitor.Main.class,
            "gateway", org.treerename.producer.http.Main.class);

    /** The status code of the readiness probe of a service that has no connection to Kafka and Elasticsearch. */
    private static final int NOT_READY = 503;

    private static final String ANY_FREE = "0";
    private static final Pattern MANAGEMENT =
            Pattern.compile("metrics and health are on (http://127\\.0\\.0\\.1:\\d+)");

    @TempDir
    private Path folder;

    static Stream<String> services() {
        return MAINS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("services")
    void a_service_starts_with_the_settings_of_its_container(String service)
            throws IOException, InterruptedException, GeneralSecurityException {
        Manifest deployment = BUILT.find("Deployment", "tree-rename-" + service).orElseThrow();
        Mounts mounts = new Mounts(folder);
        mounts.write(deployment, BUILT);
        Map<String, String> environment = new HashMap<>(Services.environment(deployment, BUILT));
        environment.replaceAll((name, value) -> value.equals("0.0.0.0") ? "127.0.0.1" : mounts.moved(value));
        environment.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1");
        environment.put("ELASTICSEARCH_URL", "https://127.0.0.1:1");
        environment.replaceAll((name, value) -> name.endsWith("_PORT") ? ANY_FREE : value);
        Path log = folder.resolve("log");

        Process process = started(service, environment, log);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String management = managementUrl(process, log);
            for (String probe : List.of("startupProbe", "livenessProbe")) {
                String path =
                        deployment.container().at("/" + probe + "/httpGet/path").asText();
                assertThat(answer(client, management, path).statusCode()).isEqualTo(200);
            }
            String ready =
                    deployment.container().at("/readinessProbe/httpGet/path").asText();
            Awaitility.await("start of the service")
                    .atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(answer(client, management, ready).statusCode())
                                    .isEqualTo(NOT_READY));
            assertThat(answer(client, management, "/metrics").body()).contains("jvm_memory_used_bytes");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Process started(String service, Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        String.valueOf(MAINS.get(service)).replace("class ", ""))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        java.environment().clear();
        java.environment().putAll(environment);
        return java.start();
    }

    /** Waits until the service logs the URL of its probes, and returns the URL. */
    private static String managementUrl(Process process, Path log) {
        return Awaitility.await("log line with the URL of the probes")
                .atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(100))
                .failFast(
                        "the service has ended",
                        () -> assertThat(process.isAlive())
                                .as(Files.readString(log))
                                .isTrue())
                .until(() -> MANAGEMENT.matcher(Files.readString(log)), Matcher::find)
                .group(1);
    }

    private static HttpResponse<String> answer(HttpClient client, String url, String path)
            throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString());
    }
}
