package org.treerename.producer.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.namespace.NamespaceFile;
import org.treerename.producer.ProducerSettings;
import org.treerename.service.KafkaOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the connection to Kafka and for the order of requests. */
public final class ProducerOptions {

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--namespaces",
            paramLabel = "FILE",
            description = "The YAML file with the definitions of the namespaces. The workers must use the same"
                    + " definitions. A definition contains the notation of the paths and the ordering depth.")
    private @Nullable Path namespaces;

    @Option(
            names = "--ordering-depth",
            defaultValue = "1",
            paramLabel = "N",
            description = "The record key contains the first N segments of the source. N is 0 to 10 (default:"
                    + " ${DEFAULT-VALUE}). Requests that overlap keep their order only if their record keys are equal."
                    + " So all senders must use the same number. A namespace in the file of --namespaces uses its own"
                    + " number.")
    private int orderingDepth;

    /** Returns the settings of the Kafka clients for an installation. */
    public KafkaClientSettings clients(Installation installation) {
        return kafka.settings(installation);
    }

    /**
     * Returns the settings of a producer in an installation.
     *
     * @throws IllegalArgumentException if an option is not valid
     */
    public ProducerSettings settings(Installation installation) {
        KafkaClientSettings client = clients(installation);
        return ProducerSettings.of(client.bootstrapServers())
                .withPrefix(installation.prefix())
                .withClientProperties(client.properties())
                .withOrderingDepth(orderingDepth)
                .withNamespaces(namespaces == null ? List.of() : NamespaceFile.read(namespaces));
    }
}
