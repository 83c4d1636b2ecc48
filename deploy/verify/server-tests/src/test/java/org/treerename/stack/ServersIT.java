package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Tests a single Elasticsearch and a single Kafka of the local stack. */
class ServersIT {
    @TempDir
    private Path folder;

    /** The ids of the processes that ran before the test: the servers that the tests share. */
    private final Set<Long> before = children();

    /** Runs only with {@code -Pfull}. In the default build, SingleNodeCrashIT kills and restarts an Elasticsearch. */
    @Test
    @Tag("full")
    void elasticsearch_keeps_its_data_and_address_over_a_crash() throws Exception {
        try (var server = ElasticsearchServer.start(
                ElasticsearchSettings.in(folder).withHeap("512m").shortLived())) {
            String url = server.url();
            long firstPid = server.pid();
            request(HttpRequest.newBuilder(URI.create(url + "/things/_doc/1"))
                    .header("Content-Type", "application/json")
                    .PUT(BodyPublishers.ofString("{\"a\":1}")));

            server.kill();
            server.restart();

            assertThat(server.url()).isEqualTo(url);
            assertThat(server.pid()).isNotEqualTo(firstPid);
            assertThat(request(HttpRequest.newBuilder(URI.create(url + "/things/_source/1"))))
                    .isEqualTo("{\"a\":1}");
        }
    }

    @Test
    void kafka_keeps_its_data_and_address_over_a_crash() throws Exception {
        try (var server = KafkaServer.start(KafkaSettings.in(folder).shortLived())) {
            String address = server.bootstrapServers();
            try (Admin admin = admin(address)) {
                admin.createTopics(List.of(new NewTopic("things", 3, (short) 1)))
                        .all()
                        .get();
            }

            server.kill();
            server.restart();

            assertThat(server.bootstrapServers()).isEqualTo(address);
            try (Admin admin = admin(address)) {
                assertThat(admin.listTopics().names().get()).contains("things");
            }
        }
    }

    static boolean isRoot() {
        return !Unprivileged.wrapper().isEmpty();
    }

    @Test
    @Tag("full")
    @EnabledIf("isRoot")
    void elasticsearch_runs_for_root_without_user_namespaces() {
        var settings = ElasticsearchSettings.in(folder).withHeap("512m").shortLived();
        try (var server = ElasticsearchServer.start(settings, Unprivileged.NOBODY)) {
            assertThat(ProcessHandle.of(server.pid())).get().returns(true, ProcessHandle::isAlive);
        }
    }

    @Test
    void reports_the_message_of_a_server_that_refuses_its_settings() {
        var settings = ElasticsearchSettings.in(folder)
                .withHeap("512m")
                .shortLived()
                .withSettings(Map.of("no.such.setting", "1"));

        assertThatThrownBy(() -> ElasticsearchServer.start(settings))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended before it was ready")
                .hasMessageContaining("unknown setting [no.such.setting]");
        assertNothingRuns();
    }

    @Test
    @Tag("full")
    void reports_a_fixed_port_that_is_in_use_after_three_tries() throws IOException {
        int port = new LoopbackPorts().choose(1).getFirst();
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

            assertThatThrownBy(() -> KafkaServer.start(
                            KafkaSettings.in(folder).shortLived().withPort(port)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did not start in 3 tries, because another process used one of its ports")
                    .hasMessageContaining(Integer.toString(port));
        }
        assertNothingRuns();
    }

    @Test
    void stops_the_other_server_if_one_server_does_not_start() {
        var elasticsearch =
                ElasticsearchSettings.in(folder.resolve("elasticsearch")).shortLived();
        var kafka = KafkaSettings.in(folder.resolve("kafka")).withSettings(Map.of("process.roles", "nonsense"));

        assertThatThrownBy(() -> LocalStack.start(elasticsearch, kafka))
                .hasMessageContaining("did not start")
                .cause()
                .hasMessageContaining("nonsense");
        assertNothingRuns();
    }

    private void assertNothingRuns() {
        // a process that ran before the test may have ended during the test, so the two sets may differ
        assertThat(before).containsAll(children());
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private static Admin admin(String bootstrapServers) {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    private static String request(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString()).body();
        }
    }
}
