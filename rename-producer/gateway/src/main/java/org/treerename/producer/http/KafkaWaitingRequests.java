package org.treerename.producer.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.KafkaRequestLog;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.request.RecordPosition;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Searches the request topic for requests that have not begun. Reads the topic from the committed offsets of the
 * workers. A worker commits the offset of a request only after the journal has an entry for the request. A janitor
 * keeps this entry until the offset is committed. So a request at or after the committed offset has not begun if the
 * journal has no entry for this request. All gateways find the same requests, even after a restart. The gateways also
 * find requests that other programs have sent.
 *
 * <p>A read continues where the previous read ended. At most five reads begin per second, and a read ends after two
 * seconds. A read also ends when the requests in memory have a total size of 16 MiB. Only a search causes a read. A
 * search that does not find its request in memory waits for a read that begins after the search. So it finds each
 * request that Kafka acknowledged before the search, whichever program sent the request.
 */
final class KafkaWaitingRequests implements WaitingRequests, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KafkaWaitingRequests.class);

    private static final long MOST_BYTES = 16L * 1024 * 1024;
    private static final Duration BETWEEN_READS = Duration.ofMillis(200);
    private static final Duration MOST_TIME = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int ANSWER_MILLIS = 5_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaRequestLog requests;
    private final String topic;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final WaitingIndex index = new WaitingIndex(MOST_BYTES);
    /** The begin of the last read. */
    private Optional<Long> readNanos = Optional.empty();

    /** Why Kafka did not answer the last read; null if it did. */
    private @Nullable NoAnswerException failure;

    private boolean isComplete;
    private boolean isPermitted = true;
    private boolean isRefusalLogged;

    private KafkaWaitingRequests(
            KafkaConsumer<byte[], byte[]> consumer, KafkaRequestLog requests, String topic, Time time) {
        this.consumer = consumer;
        this.requests = requests;
        this.topic = topic;
        this.time = time;
    }

    /**
     * Creates the clients of Kafka. The first search connects these clients to Kafka.
     *
     * @param groupId the consumer group of the workers
     */
    static KafkaWaitingRequests connect(KafkaClientSettings settings, String groupId, Time time) {
        Map<String, Object> decided = Map.of(
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                ANSWER_MILLIS,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                ANSWER_MILLIS);
        return new KafkaWaitingRequests(
                settings.client(
                        decided,
                        all -> new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer())),
                KafkaRequestLog.connect(settings, groupId),
                settings.installation().requests(),
                time);
    }

    @Override
    public SearchResults findAll(Set<String> requestIds) {
        long begun = time.nanos();
        while (true) {
            Duration untilNextRead;
            lock.lock();
            try {
                untilNextRead = untilNextRead();
                if (!untilNextRead.isPositive()) {
                    readNanos = Optional.of(time.nanos());
                    read();
                }
                Map<String, Queued> found = index.find(requestIds);
                boolean isFound = found.size() == requestIds.size();
                boolean isRead = readNanos.filter(read -> read - begun >= 0).isPresent();
                NoAnswerException failed = failure;
                if (isRead && !isFound && failed != null) {
                    // all searches that waited for this read fail together, so no search waits for many reads
                    throw new NoAnswerException(String.valueOf(failed.getMessage()), failed);
                }
                if (isRead || isFound) {
                    return new SearchResults(found, isComplete, isPermitted);
                }
            } finally {
                lock.unlock();
            }
            time.pause(untilNextRead);
        }
    }

    private Duration untilNextRead() {
        return readNanos
                .map(read -> BETWEEN_READS.minusNanos(time.nanos() - read))
                .orElse(Duration.ZERO);
    }

    private void read() {
        isComplete = false;
        isPermitted = true;
        failure = null;
        try {
            isComplete = readNew(requests.committed());
            isRefusalLogged = false;
        } catch (NoAnswerException e) {
            if (e.getCause() instanceof RefusedException) {
                refused(String.valueOf(e.getMessage()));
            } else {
                failure = e;
            }
        } catch (AuthorizationException e) {
            refused(e.toString());
        } catch (KafkaException e) {
            failure = new NoAnswerException("cannot read " + topic + ": " + e, e);
        }
    }

    private void refused(String why) {
        isPermitted = false;
        if (!isRefusalLogged) {
            log.warn("cannot search the waiting requests: {}; a waiting request is reported as unknown", why);
        }
        isRefusalLogged = true;
    }

    /** Returns whether all new records were read. */
    private boolean readNew(Map<String, Long> committed) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
        consumer.beginningOffsets(partitions).forEach((partition, begin) -> {
            index.beginAt(partition.partition(), Math.max(begin, committed.getOrDefault(partition.toString(), begin)));
            consumer.seek(partition, index.next(partition.partition()));
        });
        long deadline = time.nanos() + MOST_TIME.toNanos();
        while (true) {
            ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            if (ends.isEmpty() || index.isFull() || time.nanos() - deadline >= 0) {
                return ends.isEmpty();
            }
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                index.add(message.partition(), message.offset(), queued(message), size(message));
            }
        }
    }

    private static Optional<Queued> queued(ConsumerRecord<byte[], byte[]> message) {
        if (!(RequestCodec.read(message) instanceof Decoded.Usable usable)) {
            return Optional.empty();
        }
        RecordPosition position = new RecordPosition(message.topic(), message.partition(), message.offset());
        return Optional.of(
                new Queued(Delivery.of(usable.asked(), usable.digest(), position, message.timestamp(), null)));
    }

    private static long size(ConsumerRecord<byte[], byte[]> message) {
        return message.value() == null ? 0 : message.value().length;
    }

    @Override
    public void close() {
        lock.lock();
        try (requests) {
            consumer.close();
        } finally {
            lock.unlock();
        }
    }
}
