package org.treerename.service;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaClientSettings;
import picocli.CommandLine.Option;

/**
 * The options for the connection to Kafka: addresses and client properties. Secrets are in a file, because all users of
 * a machine can see a command line.
 */
public final class KafkaOptions {

    @Option(
            names = "--kafka-bootstrap-servers",
            paramLabel = "HOST:PORT[,...]",
            description = "The addresses of the Kafka brokers.")
    private String bootstrapServers = "";

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description =
                    "A properties file for the Kafka clients, with properties such as security.protocol, ssl.* and"
                            + " sasl.*. Properties that this program sets itself are refused.")
    private @Nullable Path config;

    /**
     * Returns the connection settings of an installation, as these options define them.
     *
     * @throws IllegalArgumentException if an option is missing or invalid
     */
    public KafkaClientSettings settings(Installation installation) {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("expected the addresses of the Kafka brokers, found none; set"
                    + " --kafka-bootstrap-servers, KAFKA_BOOTSTRAP_SERVERS in the environment, or"
                    + " kafka-bootstrap-servers in the configuration file");
        }
        KafkaClientSettings settings = KafkaClientSettings.of(bootstrapServers).in(installation);
        return config == null ? settings : settings.with(KafkaClientSettings.read(config));
    }
}
