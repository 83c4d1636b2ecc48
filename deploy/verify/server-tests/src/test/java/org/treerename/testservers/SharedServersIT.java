package org.treerename.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;

class SharedServersIT {
    @Test
    void elasticsearch_answers_at_one_address() throws Exception {
        String url = TestServers.elasticsearchUrl();

        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()))
                    .returns(200, response -> response.statusCode());
        }
        assertThat(TestServers.elasticsearchUrl()).isEqualTo(url);
    }

    @Test
    void kafka_answers_at_one_address() throws Exception {
        String address = TestServers.kafkaBootstrapServers();

        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address))) {
            assertThat(admin.describeCluster().nodes().get()).hasSize(1);
        }
        assertThat(TestServers.kafkaBootstrapServers()).isEqualTo(address);
    }
}
