package org.treerename.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How Kafka is to run: a value, every method gives a changed copy.
 *
 * @param folder holds its data, configuration and log; made when it is not there, kept at the end
 * @param heap as for {@code -Xmx}
 * @param port a fixed port on 127.0.0.1; empty: a free one
 * @param jvmOptions on top of its heap
 * @param settings for {@code server.properties}; they win over the ones that {@link KafkaServer} sets. Its clients come in
 *     by the listener {@code CLIENTS}
 * @param client further properties of the client that asks whether it answers, where the settings want some
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

    /** For a broker that runs for minutes, as in tests: see {@link ElasticsearchSettings#shortLived}. */
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
