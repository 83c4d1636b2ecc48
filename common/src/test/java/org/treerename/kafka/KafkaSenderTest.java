package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.installation.Installation;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

@Timeout(60)
final class KafkaSenderTest {

    private static final List<String> IDS = List.of("r1", "r2", "r3");

    /** Counts down when the sender hands a record over to Kafka. */
    private final CountDownLatch handedOver = new CountDownLatch(IDS.size());

    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the method of the superclass is synchronized
                public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message) {
                    Future<RecordMetadata> sent = super.send(message);
                    handedOver.countDown();
                    return sent;
                }
            };

    private final KafkaSender sender = new KafkaSender(kafka, () -> {});

    private CompletableFuture<Void> send(String id) {
        return CompletableFuture.runAsync(
                () -> sender.send(new ProducerRecord<>(
                        Installation.DEFAULT.outcomes(), id.getBytes(StandardCharsets.UTF_8), new byte[1])),
                task -> Thread.ofVirtual().start(task));
    }

    @Test
    void hands_over_the_records_of_all_threads_before_one_is_acknowledged() throws InterruptedException {
        List<CompletableFuture<Void>> sends = IDS.stream().map(this::send).toList();
        handedOver.await();

        assertThat(kafka.history()).hasSize(IDS.size());
        assertThat(sends).noneMatch(CompletableFuture::isDone);
        assertThat(kafka.flushed()).isFalse();

        IDS.forEach(id -> kafka.completeNext());
        sends.forEach(CompletableFuture::join);
    }

    @Test
    void send_returns_when_its_own_record_is_acknowledged() throws InterruptedException {
        List<CompletableFuture<Void>> sends = IDS.stream().map(this::send).toList();
        handedOver.await();

        kafka.completeNext();
        CompletableFuture.anyOf(sends.toArray(CompletableFuture[]::new)).join();

        assertThat(sends).filteredOn(CompletableFuture::isDone).hasSize(1);
        kafka.completeNext();
        kafka.completeNext();
        sends.forEach(CompletableFuture::join);
    }

    private void assertFailsWith(RuntimeException failure, Class<? extends RuntimeException> expected)
            throws InterruptedException {
        List<CompletableFuture<Void>> sends = IDS.stream().map(this::send).toList();
        handedOver.await();
        IDS.forEach(id -> kafka.errorNext(failure));

        assertThat(sends)
                .allSatisfy(sent -> assertThatThrownBy(sent::join)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(expected));
    }

    @Test
    void reports_a_timeout_as_no_answer() throws InterruptedException {
        assertFailsWith(new TimeoutException("no answer"), NoAnswerException.class);
    }

    @Test
    void reports_a_record_that_is_too_large_as_refused() throws InterruptedException {
        assertFailsWith(new RecordTooLargeException("too large"), RefusedException.class);
    }
}
