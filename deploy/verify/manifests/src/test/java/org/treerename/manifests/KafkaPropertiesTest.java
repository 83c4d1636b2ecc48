package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.kafka.KafkaClientSettings;

/**
 * Tests that a Kafka client reads two mounted files. {@code sasl.jaas.config}, which Strimzi writes, contains the user.
 * {@code ca.crt} contains the certificates.
 */
class KafkaPropertiesTest {

    @TempDir
    private Path folder;

    private KafkaProducer<byte[], byte[]> producer() {
        return KafkaClientSettings.of("127.0.0.1:1")
                .with(KafkaClientSettings.read(folder.resolve("kafka/kafka.properties")))
                .client(
                        Map.of(
                                "key.serializer", ByteArraySerializer.class,
                                "value.serializer", ByteArraySerializer.class),
                        all -> new KafkaProducer<>(all));
    }

    @Test
    void a_client_uses_the_user_and_the_certificates_of_the_files()
            throws IOException, InterruptedException, GeneralSecurityException {
        Manifests built = Kustomization.build(Project.manifests("overlays/prod"));
        new Mounts(folder).write(built.find("Deployment", "tree-rename-worker").orElseThrow(), built);

        try (KafkaProducer<byte[], byte[]> made = producer()) {
            assertThat(made.metrics()).isNotEmpty();
        }
        Path certificates = folder.resolve("kafka/ca.crt");
        String kept = Files.readString(certificates);
        Files.delete(certificates);
        assertThatThrownBy(this::producer).hasMessageContaining("ca.crt");
        Files.writeString(certificates, kept);
        Files.delete(folder.resolve("kafka/sasl.jaas.config"));
        assertThatThrownBy(this::producer).hasMessageContaining("JAAS");
    }
}
