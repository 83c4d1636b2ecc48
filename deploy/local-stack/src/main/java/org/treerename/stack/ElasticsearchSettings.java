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
 * @param files further files of its configuration, their text by their name; {@code users}, say, where security is on
 */
public record ElasticsearchSettings(
        Path folder,
        String clusterName,
        String heap,
        OptionalInt httpPort,
        Map<String, String> settings,
        Map<String, String> files) {

    public ElasticsearchSettings {
        folder = folder.toAbsolutePath();
        settings = Map.copyOf(settings);
        files = Map.copyOf(files);
    }

    public static ElasticsearchSettings in(Path folder) {
        return new ElasticsearchSettings(folder, "local", "1g", OptionalInt.empty(), Map.of(), Map.of());
    }

    public ElasticsearchSettings withClusterName(String name) {
        return new ElasticsearchSettings(folder, name, heap, httpPort, settings, files);
    }

    public ElasticsearchSettings withHeap(String size) {
        return new ElasticsearchSettings(folder, clusterName, size, httpPort, settings, files);
    }

    public ElasticsearchSettings withHttpPort(int port) {
        return new ElasticsearchSettings(folder, clusterName, heap, OptionalInt.of(port), settings, files);
    }

    public ElasticsearchSettings withSettings(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, others, files);
    }

    public ElasticsearchSettings withFiles(Map<String, String> others) {
        return new ElasticsearchSettings(folder, clusterName, heap, httpPort, settings, others);
    }
}
