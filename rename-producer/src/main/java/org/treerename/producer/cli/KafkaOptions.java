package org.treerename.producer.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.definition.NamespaceFile;
import org.treerename.producer.ProducerSettings;
import picocli.CommandLine.Option;

/** How to reach Kafka. */
public final class KafkaOptions {

    @Option(names = "--kafka-bootstrap-servers", paramLabel = "HOST:PORT[,...]", description = "Kafka's addresses.")
    private String bootstrapServers = "";

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description = "Further properties of Kafka's clients, security.protocol say.")
    private @Nullable Path properties;

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
        return properties == null ? settings : settings.withClientProperties(read(properties));
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the file of --kafka-properties: " + e, e);
        }
        Map<String, String> read = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
        return read;
    }
}
