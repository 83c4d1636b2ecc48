package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaServer;
import org.treerename.stack.KafkaSettings;

/**
 * One Elasticsearch and one Kafka for all tests of this JVM that kill servers. Each server starts at the first call of
 * its method. When this JVM ends, it stops the servers and deletes their data. A test that kills a server must restart
 * this server.
 */
final class KillableServers {

    private static @Nullable Path folder;
    private static @Nullable ElasticsearchServer elasticsearch;
    private static @Nullable KafkaServer kafka;

    private KillableServers() {}

    static synchronized ElasticsearchServer elasticsearch() {
        ElasticsearchServer server = elasticsearch;
        if (server == null) {
            server = ElasticsearchServer.start(ElasticsearchSettings.in(folder().resolve("elasticsearch"))
                    .withHeap("512m")
                    .shortLived());
            elasticsearch = server;
        }
        return server;
    }

    static synchronized KafkaServer kafka() {
        KafkaServer server = kafka;
        if (server == null) {
            server = KafkaServer.start(
                    KafkaSettings.in(folder().resolve("kafka")).withHeap("384m").shortLived());
            kafka = server;
        }
        return server;
    }

    private static Path folder() {
        Path known = folder;
        if (known == null) {
            try {
                known = Files.createTempDirectory("tree-rename-killable-");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            folder = known;
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform()
                            .name("killable-servers-shutdown")
                            .unstarted(KillableServers::end));
        }
        return known;
    }

    private static synchronized void end() {
        if (elasticsearch != null) {
            elasticsearch.kill();
        }
        if (kafka != null) {
            kafka.kill();
        }
        try (Stream<Path> files = Files.walk(folder())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the data of the servers", e);
        }
    }
}
