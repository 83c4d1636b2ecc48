package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts a local stack in a separate JVM, so that a test can kill that JVM. */
class LocalStackIT {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private ChildProcess holder;

    /** The processes of Elasticsearch's launcher, Elasticsearch's server, and Kafka. */
    private List<ProcessHandle> servers;

    @BeforeEach
    void startInAnotherJvm() throws IOException, InterruptedException {
        Path ready = folder.resolve("ready");
        Path log = folder.resolve("holder.log");
        holder = JavaCommand.of(StackHolder.class.getName(), System.getProperty("java.class.path"), log)
                .jvmOptions("-Dtree-rename.cache=" + System.getProperty("tree-rename.cache", ""))
                .arguments(folder.resolve("stack").toString(), ready.toString())
                .start();
        Poll.until(START, () -> Files.exists(ready) || !holder.isAlive());
        assertThat(ready).as(LogTail.of(log).toString()).exists();
        servers = holder.descendants();
        assertThat(servers).hasSize(3);
    }

    @AfterEach
    void endTheOtherJvm() {
        holder.close();
        servers.forEach(ProcessHandle::destroyForcibly);
    }

    /**
     * Runs only with {@code -Pfull}. The default build runs two similar tests: StackIT starts and stops the same
     * servers, and ChildProcessTest kills the JVM of a small program.
     */
    @Test
    @Tag("full")
    void both_servers_answer_and_no_server_is_left_when_their_jvm_is_killed() throws Exception {
        List<String> addresses = Files.readAllLines(folder.resolve("ready"));
        assertThat(elasticsearchVersion(addresses.get(0)))
                .contains(ServerFiles.inCache().named("elasticsearch.version"));
        assertThat(kafkaNodes(addresses.get(1))).isEqualTo(1);

        killOnlyTheOtherJvm();

        assertThat(serversLeft()).isEmpty();
    }

    /**
     * Runs only with {@code -Pfull}. In the default build, ChildProcessTest tests the same behaviour with a small
     * program.
     */
    @Test
    @Tag("full")
    void no_server_is_left_when_their_jvm_receives_sigterm() throws Exception {
        sendSigterm();

        assertThat(holder.waitFor(END)).isEqualTo(128 + 15);
        assertThat(serversLeft()).isEmpty();
    }

    @Test
    @Tag("full")
    void the_server_ends_when_only_its_launcher_is_killed() throws Exception {
        ProcessHandle launcher = servers.stream()
                .filter(server -> server.children().findAny().isPresent())
                .findFirst()
                .orElseThrow();
        ProcessHandle server = launcher.children().findFirst().orElseThrow();

        launcher.destroyForcibly();

        assertThat(ChildProcess.ended(server, END)).isTrue();
    }

    private void killOnlyTheOtherJvm() {
        ProcessHandle.of(holder.pid()).orElseThrow().destroyForcibly();
    }

    private void sendSigterm() {
        ProcessHandle.of(holder.pid()).orElseThrow().destroy();
    }

    private List<ProcessHandle> serversLeft() {
        return servers.stream()
                .filter(server -> !ChildProcess.ended(server, END))
                .toList();
    }

    private static String elasticsearchVersion(String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private static int kafkaNodes(String bootstrapServers) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            return admin.describeCluster().nodes().get().size();
        }
    }
}
