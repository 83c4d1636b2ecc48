package org.treerename.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardOldestPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.installation.Installation;
import org.treerename.request.ProgressFeed;
import org.treerename.request.RenameProgress;
import org.treerename.runtime.Time;

/**
 * Publishes progress in the topic {@link Installation#progress}, on a best-effort basis. The key of each record is the
 * request id. This class uses its own thread and its own producer, so neither renames nor outcomes wait for progress.
 * The thread and the producer are created when the first record is sent. If a record cannot be sent, it is dropped, and
 * no progress is sent for a minute. For example, if the topic is missing, no progress is published, but renames do not
 * fail.
 */
public final class KafkaProgress implements ProgressFeed, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KafkaProgress.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(1);
    private static final int MAX_QUEUED = 1_000;
    private static final int BLOCK_MILLIS = 2_000;
    private static final int REQUEST_MILLIS = 5_000;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final String source;
    private final Time time;
    private final ThreadPoolExecutor thread;
    private @Nullable Producer<byte[], byte[]> producer;
    private volatile @Nullable Long failedNanos;

    KafkaProgress(Supplier<Producer<byte[], byte[]>> producers, String topic, String source, Time time) {
        this.producers = producers;
        this.topic = topic;
        this.source = source;
        this.time = time;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_QUEUED),
                Thread.ofPlatform().daemon().name("rename-progress").factory(),
                new DiscardOldestPolicy());
    }

    /**
     * Creates a publisher that connects at the first record.
     *
     * @param source the service that publishes the progress
     */
    public static KafkaProgress connect(KafkaClientSettings settings, String source, Time time) {
        Map<String, Object> decided = Map.of(
                ProducerConfig.ACKS_CONFIG,
                "1",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                false,
                ProducerConfig.RETRIES_CONFIG,
                0,
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                BLOCK_MILLIS,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                REQUEST_MILLIS,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                REQUEST_MILLIS);
        return new KafkaProgress(
                () -> settings.client(
                        decided, all -> new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer())),
                settings.installation().progress(),
                source,
                time);
    }

    @Override
    public void report(RenameProgress progress) {
        thread.execute(() -> send(progress));
    }

    /** Runs a task after all earlier records have been sent or dropped. */
    void afterAll(Runnable task) {
        thread.execute(task);
    }

    private void send(RenameProgress progress) {
        Long failed = failedNanos;
        if (failed != null && time.nanos() - failed < PAUSE_AFTER_FAILURE.toNanos()) {
            return;
        }
        try {
            var unused = connected().send(eventOf(progress), (metadata, failure) -> sent(failure));
        } catch (RuntimeException e) {
            // do not throw, because renames do not depend on progress
            sent(e);
        }
    }

    /** Synchronized, because another thread may call {@link #close}, which closes the producer. */
    private synchronized Producer<byte[], byte[]> connected() {
        Producer<byte[], byte[]> connected = producer;
        if (thread.isShutdown()) {
            throw new IllegalStateException("the publisher of progress is closed");
        }
        if (connected == null) {
            connected = producers.get();
            producer = connected;
        }
        return connected;
    }

    private ProducerRecord<byte[], byte[]> eventOf(RenameProgress progress) {
        String requestId = progress.requestId();
        String eventId = requestId + "/" + progress.processId() + "/" + progress.passes() + "/" + progress.moved();
        return new ProducerRecord<>(
                topic,
                null,
                null,
                requestId.getBytes(StandardCharsets.UTF_8),
                ProgressCodec.encode(progress).getBytes(StandardCharsets.UTF_8),
                CloudEventHeaders.of(CloudEventHeaders.PROGRESSED, eventId, source, time.now()));
    }

    private void sent(@Nullable Exception failure) {
        if (failure == null) {
            failedNanos = null;
        } else if (!thread.isShutdown()) {
            failedNanos = time.nanos();
            log.warn(
                    "cannot publish progress ({}); renames continue; the next try is in {} s",
                    failure.getMessage(),
                    PAUSE_AFTER_FAILURE.toSeconds());
        }
    }

    /** Drops the records that have not been sent, and closes the producer. */
    @Override
    public synchronized void close() {
        thread.shutdownNow();
        Producer<byte[], byte[]> connected = producer;
        if (connected != null) {
            connected.close(Duration.ZERO);
        }
    }
}
