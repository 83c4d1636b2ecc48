package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.request.RenameProgress;
import org.treerename.runtime.ManualTime;

class KafkaProgressTest {

    /**
     * A producer that passes each record to the test before it sends the record. While {@code isMissing} is true, each
     * send fails, as if the topic was missing.
     */
    private static final class Peer extends MockProducer<byte[], byte[]> {
        private final SynchronousQueue<String> sending = new SynchronousQueue<>();
        private volatile boolean isMissing;

        Peer() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> event, Callback callback) {
            try {
                sending.put(event.topic() + " " + new String(event.key(), StandardCharsets.UTF_8) + " "
                        + new String(event.value(), StandardCharsets.UTF_8));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (isMissing) {
                throw new TimeoutException("not present in metadata");
            }
            return super.send(event, callback);
        }

        String next() throws InterruptedException {
            return String.valueOf(sending.poll(120, TimeUnit.SECONDS));
        }
    }

    private final Peer peer = new Peer();
    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final KafkaProgress progress = new KafkaProgress(() -> peer, "rename.progress", "/rename-worker", time);

    @AfterEach
    void end() {
        progress.close();
    }

    private static RenameProgress moved(long moved) {
        return new RenameProgress("r1", moved, 100, 1, "worker-1", false, null, null);
    }

    private static String record(long moved) {
        return "rename.progress r1 " + ProgressCodec.encode(moved(moved));
    }

    @Test
    void sends_a_record_with_the_request_id_as_its_key() throws Exception {
        progress.report(moved(10));

        assertThat(peer.next()).isEqualTo(record(10));
    }

    @Test
    void does_not_block_and_drops_reports_if_the_queue_is_full() throws Exception {
        for (int i = 0; i < 5_000; i++) {
            progress.report(moved(i));
        }

        assertThat(peer.next()).isEqualTo(record(0));
        assertThat(peer.next()).isEqualTo(record(4_000));
    }

    @Test
    void sends_nothing_for_a_minute_after_a_failure() throws Exception {
        peer.isMissing = true;
        progress.report(moved(1));
        assertThat(peer.next()).isEqualTo(record(1));
        settle();
        peer.isMissing = false;

        time.advance(Duration.ofSeconds(59));
        progress.report(moved(2));
        settle();
        time.advance(Duration.ofSeconds(1));
        progress.report(moved(3));

        assertThat(peer.next()).isEqualTo(record(3));
    }

    /** Blocks until the sending thread has processed all earlier reports. */
    private void settle() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        progress.afterAll(done::countDown);
        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
    }
}
