package org.treerename.wire;

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
import org.treerename.rename.ProgressFeed;
import org.treerename.rename.RenameProgress;
import org.treerename.runtime.Time;

/**
 * Progress in the topic {@link Topics#PROGRESS}, keyed by request id, as well as it goes: a thread and a producer of its own,
 * begun by the first of it, send it, so that nothing waits for it and outcomes share nothing with it. What cannot be sent is
 * dropped, and nothing is tried for a minute then; so where the topic is missing there is no progress, and no failure.
 */
public final class KafkaProgress implements ProgressFeed, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KafkaProgress.class);
    private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(1);
    private static final int WAITING = 1_000;
    private static final int BLOCK_MILLIS = 2_000;
    private static final int REQUEST_MILLIS = 5_000;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String source;
    private final Time time;
    private final ThreadPoolExecutor thread;
    private @Nullable Producer<byte[], byte[]> producer;
    private volatile @Nullable Long failedNanos;

    KafkaProgress(Supplier<Producer<byte[], byte[]>> producers, String source, Time time) {
        this.producers = producers;
        this.source = source;
        this.time = time;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("rename-progress").factory(),
                new DiscardOldestPolicy());
    }

    /**
     * Connects when there is something to tell.
     *
     * @param source the service that tells it
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
                source,
                time);
    }

    @Override
    public void tell(RenameProgress progress) {
        thread.execute(() -> send(progress));
    }

    /** Runs once all that was told before was sent or dropped. */
    void afterAll(Runnable what) {
        thread.execute(what);
    }

    private void send(RenameProgress progress) {
        Long failed = failedNanos;
        if (failed != null && time.nanos() - failed < AFTER_A_FAILURE.toNanos()) {
            return;
        }
        try {
            var unused = connected().send(eventOf(progress), (metadata, failure) -> sent(failure));
        } catch (RuntimeException e) {
            // the edge of one item: nothing depends on it
            sent(e);
        }
    }

    /** One that is made while this is closed is closed with it. */
    private synchronized Producer<byte[], byte[]> connected() {
        Producer<byte[], byte[]> connected = producer;
        if (thread.isShutdown()) {
            throw new IllegalStateException("it is closed");
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
                Topics.PROGRESS,
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
                    "progress cannot be told ({}); renames go on, and it is tried again in {} s",
                    failure.getMessage(),
                    AFTER_A_FAILURE.toSeconds());
        }
    }

    /** What has not been sent is dropped. */
    @Override
    public synchronized void close() {
        thread.shutdownNow();
        Producer<byte[], byte[]> connected = producer;
        if (connected != null) {
            connected.close(Duration.ZERO);
        }
    }
}
