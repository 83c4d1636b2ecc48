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

/**
 * Elasticsearch and Kafka below one folder. They are started side by side, and end with {@link #close()}, and with this
 * process's death of any kind (see {@link Tether}). Who wants an orderly end on Ctrl-C closes it in a shutdown hook of its
 * own, after what uses it.
 */
public final class LocalStack implements AutoCloseable {
    private final ElasticsearchServer elasticsearch;
    private final KafkaServer kafka;

    private LocalStack(ElasticsearchServer elasticsearch, KafkaServer kafka) {
        this.elasticsearch = elasticsearch;
        this.kafka = kafka;
    }

    /** Both with their usual settings, in {@code elasticsearch} and {@code kafka} below {@code folder}. */
    public static LocalStack start(Path folder) {
        return start(
                ElasticsearchSettings.in(folder.resolve("elasticsearch")), KafkaSettings.in(folder.resolve("kafka")));
    }

    /**
     * Starts both and waits until both answer.
     *
     * @throws IllegalStateException when one does not come up; nothing is left running then
     */
    public static LocalStack start(ElasticsearchSettings elasticsearchSettings, KafkaSettings kafkaSettings) {
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

    /** Both, even when one resists. */
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
