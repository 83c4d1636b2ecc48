package org.treerename.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaServer;
import org.treerename.stack.KafkaSettings;
import org.treerename.stack.ServerFiles;

/**
 * Servers in child processes, with their data in a new folder. A shutdown hook ends the servers and deletes the folder.
 * If this JVM is killed, the servers end as well, but the folder is not deleted.
 */
final class LocalTestStack implements TestStack {
    /** Kafka reassigns the partitions of a killed consumer after 1.5 s instead of 45 s. */
    private static final Map<String, String> FOR_TESTS = Map.of(
            // Kafka checks the retention only once per hour. So Kafka deletes no records during a test, even if the
            // test sets a very short retention time
            "log.retention.check.interval.ms", "3600000",
            "group.consumer.session.timeout.ms", "1500",
            "group.consumer.min.session.timeout.ms", "1000",
            "group.consumer.heartbeat.interval.ms", "300",
            "group.consumer.min.heartbeat.interval.ms", "300");

    private final Path folder;
    private final Deque<Runnable> endings = new ConcurrentLinkedDeque<>();

    private LocalTestStack(Path folder) {
        this.folder = folder;
    }

    static LocalTestStack inFreshFolder() {
        try {
            var stack = new LocalTestStack(Files.createTempDirectory("tree-rename-test-"));
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("test-servers-shutdown").unstarted(stack::end));
            return stack;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for the data of the test servers", e);
        }
    }

    @Override
    public String startElasticsearch() {
        var settings = ElasticsearchSettings.in(folder.resolve("elasticsearch"))
                .withHeap(System.getProperty("elasticsearch.heap", "768m"))
                .shortLived()
                .withSettings(Map.of("path.repo", folder.resolve("snapshots").toString()));
        String version = System.getProperty("elasticsearch.version", "");
        var server = version.isEmpty() || version.equals(ServerFiles.inCache().elasticsearchVersion())
                ? ElasticsearchServer.start(settings)
                : ElasticsearchServer.start(settings, OtherElasticsearch.home(version));
        endings.push(server::kill);
        return server.url();
    }

    @Override
    public String startKafka() {
        var server = KafkaServer.start(KafkaSettings.in(folder.resolve("kafka"))
                .withHeap("384m")
                .shortLived()
                .withSettings(FOR_TESTS));
        endings.push(server::kill);
        return server.bootstrapServers();
    }

    /** A clean stop is not necessary, because the data are deleted. */
    private void end() {
        endings.forEach(Runnable::run);
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the data of the test servers in " + folder, e);
        }
    }
}
