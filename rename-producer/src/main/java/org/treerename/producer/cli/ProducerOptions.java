package org.treerename.producer.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.definition.NamespaceFile;
import org.treerename.host.KafkaOptions;
import org.treerename.producer.ProducerSettings;
import org.treerename.wire.KafkaClientSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the connection to Kafka and for the order of requests. */
public final class ProducerOptions {

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--namespaces",
            paramLabel = "FILE",
            description = "The YAML file with definitions of namespaces that the workers have as well: how paths are"
                    + " written, and the ordering depths.")
    private @Nullable Path namespaces;

    @Option(
            names = "--ordering-depth",
            defaultValue = "1",
            paramLabel = "N",
            description = "How many first segments of the source are in the key of a request, 0 to 10 (default:"
                    + " ${DEFAULT-VALUE}). Requests that overlap are in order if their keys are equal, so all senders"
                    + " must use the same number. For a namespace that --namespaces defines, its own number counts.")
    private int orderingDepth;

    /**
     * Returns the settings that the options give.
     *
     * @throws IllegalArgumentException if an option is not valid
     */
    public ProducerSettings settings() {
        KafkaClientSettings client = kafka.settings();
        return ProducerSettings.of(client.bootstrapServers())
                .withClientProperties(client.properties())
                .withOrderingDepth(orderingDepth)
                .withNamespaces(namespaces == null ? List.of() : NamespaceFile.read(namespaces));
    }
}
