package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaClientSettingsTest {

    private static final String JAAS =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"canary\";";

    @TempDir
    private Path folder;

    private final KafkaClientSettings settings = KafkaClientSettings.of("127.0.0.1:1");

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("kafka.properties"), text);
    }

    @Test
    void adds_the_properties_of_the_file_to_each_client() throws IOException {
        Map<String, String> read =
                KafkaClientSettings.read(file("# ours\nsecurity.protocol=SASL_SSL\nsasl.jaas.config=" + JAAS + "\n"));

        Map<String, Object> all = settings.with(read).client(Map.of("acks", "all"), given -> given);

        assertThat(all)
                .isEqualTo(Map.of(
                        "bootstrap.servers", "127.0.0.1:1",
                        "security.protocol", "SASL_SSL",
                        "sasl.jaas.config", JAAS,
                        "acks", "all"));
    }

    @Test
    void prints_the_names_of_properties_and_no_values() {
        assertThat(settings.with(Map.of("sasl.jaas.config", JAAS, "security.protocol", "SASL_SSL")))
                .hasToString("127.0.0.1:1 with [sasl.jaas.config, security.protocol]");
        assertThat(settings).hasToString("127.0.0.1:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bootstrap.servers",
                "acks",
                "retries",
                "enable.idempotence",
                "transactional.id",
                "group.id",
                "group.instance.id",
                "group.protocol",
                "isolation.level",
                "enable.auto.commit",
                "auto.offset.reset",
                "allow.auto.create.topics",
                "key.deserializer",
                "value.serializer",
                "delivery.timeout.ms",
                "max.in.flight.requests.per.connection",
                "partitioner.class",
                "partition.assignment.strategy"
            })
    void refuses_properties_that_the_protocol_needs(String key) throws IOException {
        Map<String, String> read = KafkaClientSettings.read(file(key + "=canary\nsecurity.protocol=SSL\n"));

        assertThatThrownBy(() -> settings.with(read))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("these properties of the Kafka clients must not be set, because this program sets them: ["
                        + key + "]");
    }

    @Test
    void a_file_that_cannot_be_read_is_wrong_use() throws IOException {
        Path none = folder.resolve("none");
        Path malformed = file("sasl.jaas.config=\\uCANARY\n");

        for (Path file : new Path[] {none, malformed}) {
            assertThatThrownBy(() -> KafkaClientSettings.read(file))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("cannot read the properties of the Kafka clients in " + file + ": ")
                    .hasMessageNotContaining("CANARY");
        }
    }

    @Test
    void unusable_properties_are_wrong_use_and_their_values_are_not_printed() {
        Map<String, String> noModule =
                Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN", "sasl.jaas.config", "canary");
        Map<String, String> noStore = Map.of(
                "security.protocol", "SSL", "ssl.truststore.location", "/nowhere", "ssl.truststore.password", "canary");

        for (Map<String, String> properties : List.of(noModule, noStore)) {
            KafkaClientSettings wrong = settings.with(properties);
            assertThatThrownBy(() -> KafkaSender.connect(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("cannot create a Kafka client with these settings: ")
                    .hasMessageNotContaining("canary");
            assertThatThrownBy(() -> KafkaRequestLog.connect(wrong, "group"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /**
     * If not every in-sync replica had acknowledged an outcome or a dead letter, the record could get lost with its
     * broker after the worker has committed the offset of the request. If a resend was not idempotent, it could double a
     * record.
     */
    @Test
    void the_sender_waits_for_all_replicas_and_sends_nothing_twice() {
        KafkaSender.connect(settings.with(ConfigRecorder.properties("sender"))).close();

        assertThat(ConfigRecorder.of("sender"))
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .doesNotContainKey("max.in.flight.requests.per.connection");
    }
}
