package org.treerename.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.treerename.wire.KafkaClientSettings;
import picocli.CommandLine.Option;

/** How to reach Kafka, and as whom. Secrets stand in a file: a command line is seen by everybody on its machine. */
public final class KafkaOptions {

    @Option(
            names = "--kafka-bootstrap-servers",
            paramLabel = "HOST:PORT[,...]",
            description = "The addresses of Kafka.")
    private String bootstrapServers = "";

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description =
                    "A properties file for Kafka's clients: security.protocol, ssl.*, sasl.* and others. Properties"
                            + " that this program sets itself are refused.")
    private @Nullable Path config;

    /**
     * What they say.
     *
     * @throws IllegalArgumentException if that cannot be
     */
    public KafkaClientSettings settings() {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("Missing required option: '--kafka-bootstrap-servers=HOST:PORT[,...]'");
        }
        KafkaClientSettings settings = KafkaClientSettings.of(bootstrapServers);
        return config == null ? settings : settings.with(KafkaClientSettings.read(config));
    }
}
