package org.treerename.producer.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.definition.NamespaceFile;
import org.treerename.producer.ProducerSettings;
import org.treerename.wire.KafkaClientSettings;
import picocli.CommandLine.Option;

/** How to reach Kafka. */
public final class KafkaOptions {

    @Option(names = "--kafka-bootstrap-servers", paramLabel = "HOST:PORT[,...]", description = "Kafka's addresses.")
    private String bootstrapServers = "";

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description =
                    "A properties file for Kafka's clients: security.protocol, ssl.*, sasl.* and what else one may"
                            + " set; not what this program decides itself.")
    private @Nullable Path config;

    @Option(
            names = "--namespaces",
            paramLabel = "FILE",
            description = "The YAML file with definitions of namespaces that the workers have, too: how their paths are"
                    + " written, and their ordering depths.")
    private @Nullable Path namespaces;

    @Option(
            names = "--ordering-depth",
            defaultValue = "1",
            paramLabel = "N",
            description = "Requests whose sources have the first N segments in common are in order; 0: all of a"
                    + " namespace. The same for all who send (default: ${DEFAULT-VALUE}). Where --namespaces defines"
                    + " the namespace its own counts.")
    private int orderingDepth;

    /**
     * What they say.
     *
     * @throws IllegalArgumentException if that cannot be
     */
    public ProducerSettings settings() {
        if (bootstrapServers.isEmpty()) {
            throw new IllegalArgumentException("Missing required option: '--kafka-bootstrap-servers=HOST:PORT[,...]'");
        }
        ProducerSettings settings = ProducerSettings.of(bootstrapServers)
                .withOrderingDepth(orderingDepth)
                .withNamespaces(namespaces == null ? List.of() : NamespaceFile.read(namespaces));
        return config == null ? settings : settings.withClientProperties(KafkaClientSettings.read(config));
    }
}
