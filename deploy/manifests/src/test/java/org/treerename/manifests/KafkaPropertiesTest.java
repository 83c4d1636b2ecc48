package org.treerename.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.wire.KafkaClientSettings;

/** The properties file of Kafka's clients takes the user from the file that Strimzi writes, and the certificates from the one beside. */
class KafkaPropertiesTest {

    private static final String JAAS =
            "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"tree-rename-worker\" password=\"x\";";

    @TempDir
    private Path folder;

    /** What is mounted at /etc/tree-rename/kafka. */
    @BeforeEach
    void mount() throws IOException, InterruptedException {
        String properties = Kustomization.build(Project.manifests("overlays/prod"))
                .find("ConfigMap", "tree-rename-kafka")
                .orElseThrow()
                .text("/data/kafka.properties");
        Files.writeString(
                folder.resolve("kafka.properties"), properties.replace("/etc/tree-rename/kafka", folder.toString()));
        Files.writeString(folder.resolve("sasl.jaas.config"), JAAS);
        keytool("-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=ca");
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "ca",
                "-file",
                folder.resolve("ca.crt").toString());
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        keytool.command().addAll(List.of(arguments));
        keytool.command().addAll(List.of("-keystore", folder.resolve("keys").toString(), "-storepass", "changeit"));
        assertThat(keytool.inheritIO().start().waitFor()).isZero();
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return KafkaClientSettings.of("127.0.0.1:1")
                .with(KafkaClientSettings.read(folder.resolve("kafka.properties")))
                .client(
                        Map.of(
                                "key.serializer", ByteArraySerializer.class,
                                "value.serializer", ByteArraySerializer.class),
                        all -> new KafkaProducer<>(all));
    }

    @Test
    void a_client_is_made_with_the_user_and_the_certificates_of_the_files() {
        try (KafkaProducer<byte[], byte[]> made = producer()) {
            assertThat(made.metrics()).isNotEmpty();
        }
    }

    @Test
    void without_the_users_file_there_is_none() throws IOException {
        Files.delete(folder.resolve("sasl.jaas.config"));

        assertThatThrownBy(this::producer).hasMessageContaining("JAAS");
    }

    @Test
    void without_the_certificates_there_is_none() throws IOException {
        Files.delete(folder.resolve("ca.crt"));

        assertThatThrownBy(this::producer).hasMessageContaining("ca.crt");
    }
}
