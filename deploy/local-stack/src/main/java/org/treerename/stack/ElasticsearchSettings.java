package org.treerename.stack;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How one Elasticsearch node is to run: a value, every method gives a changed copy.
 *
 * @param folder holds its data, configuration and logs; made when it is not there, kept at the end
 * @param clusterName {@code cluster.name}
 * @param heap as for {@code -Xmx}
 * @param httpPort a fixed port on 127.0.0.1; empty: a free one
 * @param settings for {@code elasticsearch.yml}; they win over the ones that {@link ElasticsearchServer} sets
 */
public record ElasticsearchSettings(
        Path folder, String clusterName, String heap, OptionalInt httpPort, Map<String, String> settings) {

    public ElasticsearchSettings {
        folder = folder.toAbsolutePath();
        settings = Map.copyOf(settings);
    }

    public static ElasticsearchSettings in(Path folder) {
        return new ElasticsearchSettings(folder, "local", "1g", OptionalInt.empty(), Map.of());
    }

    public ElasticsearchSettings withClusterName(String name) {
        return new ElasticsearchSettings(folder, name, heap, httpPort, settings);
    }

    public ElasticsearchSettings withHeap(String size) {
        return new ElasticsearchSettings(folder, clusterName, size, httpPort, settings);
    }

    public ElasticsearchSettings withHttpPort(int port) {
        return new ElasticsearchSettings(folder, clusterName, heap, OptionalInt.of(port), settings);
    }

    public ElasticsearchSettings withSettings(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, others);
    }
}
