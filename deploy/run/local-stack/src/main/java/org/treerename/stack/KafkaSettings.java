package org.treerename.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The settings of Kafka. An instance is immutable: every {@code with} method returns a changed copy.
 *
 * @param folder the folder of Kafka's data, configuration and log. The folder is created if necessary, and is not
 *     deleted when Kafka stops
 * @param heap the size of the heap, as for {@code -Xmx}
 * @param port a fixed port on 127.0.0.1; empty for a free port
 * @param jvmOptions the JVM options except the heap
 * @param settings further lines of {@code server.properties}; they override the lines that {@link KafkaServer} writes.
 *     Clients connect to the listener {@code CLIENTS}
 * @param client further properties of the client that checks whether Kafka answers, for example for security
 */
public record KafkaSettings(
        Path folder,
        String heap,
        OptionalInt port,
        List<String> jvmOptions,
        Map<String, String> settings,
        Map<String, String> client) {

    public KafkaSettings {
        folder = folder.toAbsolutePath();
        jvmOptions = List.copyOf(jvmOptions);
        settings = Map.copyOf(settings);
        client = Map.copyOf(client);
    }

    public static KafkaSettings in(Path folder) {
        return new KafkaSettings(folder, "512m", OptionalInt.empty(), List.of(), Map.of(), Map.of());
    }

    public KafkaSettings withHeap(String size) {
        return new KafkaSettings(folder, size, port, jvmOptions, settings, client);
    }

    /** Returns settings for a server that runs only for minutes: see {@link ElasticsearchSettings#shortLived}. */
    public KafkaSettings shortLived() {
        return new KafkaSettings(folder, heap, port, ElasticsearchSettings.SHORT_LIVED, settings, client);
    }

    public KafkaSettings withPort(int fixed) {
        return new KafkaSettings(folder, heap, OptionalInt.of(fixed), jvmOptions, settings, client);
    }

    public KafkaSettings withSettings(Map<String, String> others) {
        return new KafkaSettings(folder, heap, port, jvmOptions, others, client);
    }

    public KafkaSettings withClient(Map<String, String> properties) {
        return new KafkaSettings(folder, heap, port, jvmOptions, settings, properties);
    }
}
