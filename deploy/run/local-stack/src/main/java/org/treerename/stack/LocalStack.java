package org.treerename.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs Elasticsearch and Kafka with all their files below one folder. Both servers start at the same time. {@link
 * #close()} ends the servers. The servers also end when this process dies (see {@link Tether}). For a graceful shutdown
 * on Ctrl-C, a program needs a shutdown hook. The hook must first end the clients of the servers, and then call {@link
 * #close()}.
 */
public final class LocalStack implements AutoCloseable {
    private final ElasticsearchServer elasticsearch;
    private final KafkaServer kafka;

    private LocalStack(ElasticsearchServer elasticsearch, KafkaServer kafka) {
        this.elasticsearch = elasticsearch;
        this.kafka = kafka;
    }

    /**
     * Starts both servers with their default settings, in {@code elasticsearch} and {@code kafka} below {@code folder}.
     */
    public static LocalStack start(Path folder) {
        return start(
                ElasticsearchSettings.in(folder.resolve("elasticsearch")), KafkaSettings.in(folder.resolve("kafka")));
    }

    /**
     * Starts both servers and waits until both answer.
     *
     * @throws IllegalStateException if a server does not start; in this case, no process is left running
     */
    public static LocalStack start(ElasticsearchSettings elasticsearchSettings, KafkaSettings kafkaSettings) {
        // initializes SLF4J; if two threads do this at the same time, SLF4J prints a warning
        LoggerFactory.getILoggerFactory();
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            var elasticsearch =
                    CompletableFuture.supplyAsync(() -> ElasticsearchServer.start(elasticsearchSettings), executor);
            var kafka = CompletableFuture.supplyAsync(() -> KafkaServer.start(kafkaSettings), executor);
            var first = new AtomicReference<@Nullable Throwable>();
            BiConsumer<Object, @Nullable Throwable> interruptOther = (server, thrown) -> {
                if (thrown != null && first.compareAndSet(null, thrown.getCause())) {
                    executor.shutdownNow();
                }
            };
            try {
                CompletableFuture.allOf(elasticsearch.whenComplete(interruptOther), kafka.whenComplete(interruptOther))
                        .join();
                return new LocalStack(elasticsearch.join(), kafka.join());
            } catch (CompletionException e) {
                var failure = new IllegalStateException("The local stack did not start", first.get());
                for (CompletableFuture<Void> end : List.of(
                        elasticsearch.thenAccept(ElasticsearchServer::close), kafka.thenAccept(KafkaServer::close))) {
                    end.handle((closed, thrown) -> addSuppressed(failure, thrown))
                            .join();
                }
                throw failure;
            }
        }
    }

    public ElasticsearchServer elasticsearch() {
        return elasticsearch;
    }

    public KafkaServer kafka() {
        return kafka;
    }

    /** Stops both servers. If the stop of one server fails, the other server is stopped nevertheless. */
    @Override
    public void close() {
        try (elasticsearch) {
            kafka.close();
        }
    }

    private static @Nullable Void addSuppressed(Exception failure, @Nullable Throwable thrown) {
        if (thrown != null && thrown.getCause() != failure.getCause()) {
            failure.addSuppressed(thrown);
        }
        return null;
    }
}
