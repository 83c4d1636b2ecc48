package org.treerename.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.kafka.ProgressCodec;
import org.treerename.observe.CurrentTrace;
import org.treerename.path.Notation;
import org.treerename.request.RenameProgress;
import org.treerename.request.TraceContext;
import org.treerename.runtime.UuidV7;

/**
 * A substitute for Kafka: the topics of requests, outcomes and progress in memory. A test can attach a worker that
 * answers each request at once.
 */
public final class InMemoryKafka {

    /** The interval at which the producer searches for new partitions of the topic of outcomes. */
    static final Duration PARTITION_CHECK = Duration.ofSeconds(30);

    private static final ProducerSettings SETTINGS =
            ProducerSettings.of("kafka:9092").withPartitionCheck(PARTITION_CHECK);

    private static final int WAITING_LIMIT = 10;

    private final SteppedTime time = new SteppedTime();
    private final Waiting waiting = new Waiting(WAITING_LIMIT);
    /** With the reset policy "none", a read of a partition without a position fails. */
    private final MockConsumer<String, String> consumer = new MockConsumer<>("none");

    private final Requests requests = new Requests();
    private final OpenRequests open = new OpenRequests(new OpenRequests.Limits(1_000, 10_000), time);
    private final Dispatch dispatch = new Dispatch(
            requests, Installation.DEFAULT.requests(), namespace -> new Ordering(Notation.SLASHES, 1), open, time);
    private final OutcomeReader reader = new OutcomeReader(consumer, waiting, dispatch::ended, SETTINGS, time);
    private final MockConsumer<String, String> progressConsumer = new MockConsumer<>("none") {
        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
            return new HashMap<>(); // no report is older than the reader
        }
    };
    /** The clock of this reader is its own, because its waits must not change the durations that a test expects. */
    private final ProgressReader progress = new ProgressReader(this::progressConsumer, SETTINGS, new SteppedTime());

    private final RenameProducer producer = new RenameProducer(
            dispatch,
            new RenameProducer.Readers(reader, progress, new Subscriptions((start, listener) -> {
                throw new UnsupportedOperationException();
            })),
            waiting,
            new UuidV7(time, new Random(1)),
            time);
    private final AtomicLong reports = new AtomicLong();
    private final Map<Integer, Long> ends = new HashMap<>();
    private CountDownLatch progressIsRead = new CountDownLatch(0);
    private Function<String, @Nullable String> worker = requestId -> null;

    /**
     * Creates the topic of outcomes with one partition.
     *
     * @param end the number of outcomes that the topic contains before the producer begins to read the topic
     */
    public InMemoryKafka(long end) {
        addPartition(0);
        ends.put(0, end);
        TopicPartition first = partition(0);
        consumer.updateEndOffsets(Map.of(first, end));
        reader.seekToEnd(List.of(first), Duration.ofSeconds(1));
    }

    public RenameProducer producer() {
        return producer;
    }

    public SteppedTime time() {
        return time;
    }

    /**
     * Attaches a worker.
     *
     * @param answers receives the id of each later request, and returns the outcome, or null for no outcome; not called
     *     for requests whose acknowledgement is held back
     */
    public void attach(Function<String, @Nullable String> answers) {
        worker = answers;
    }

    /** Publishes an outcome, and makes the producer read this outcome. */
    public void publish(String requestId, String json) {
        append(0, requestId, json);
        read();
    }

    /** Holds back acknowledgements: each later send waits for {@link #acknowledgeNext} or {@link #refuse}. */
    public void holdBackAcknowledgements() {
        requests.isHeldBack = true;
    }

    /** Acknowledges the first send that is neither acknowledged nor refused. */
    void acknowledgeNext() {
        requests.completeNext();
    }

    public void refuse(RuntimeException failure) {
        requests.errorNext(failure);
    }

    public List<ProducerRecord<String, byte[]>> sent() {
        return requests.history();
    }

    /** Returns the traces of the threads that sent the requests, in the order of the requests. */
    List<Optional<TraceContext>> traces() {
        return requests.traces;
    }

    /**
     * Creates the topic of progress with one partition. Without this topic, the producer receives no reports.
     *
     * @param older the reports that the topic contains before the producer reads the topic
     */
    public void addProgressTopic(RenameProgress... older) {
        TopicPartition first = new TopicPartition(Installation.DEFAULT.progress(), 0);
        progressConsumer.updatePartitions(Installation.DEFAULT.progress(), infos(Installation.DEFAULT.progress(), 1));
        progressConsumer.updateBeginningOffsets(Map.of(first, 0L));
        progressConsumer.updateEndOffsets(Map.of(first, (long) older.length));
        List.of(older).forEach(this::report);
    }

    /** Blocks the reader of progress until the latch reaches zero. */
    void holdBackProgress(CountDownLatch open) {
        progressIsRead = open;
    }

    private Consumer<String, String> progressConsumer() {
        try {
            progressIsRead.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
        return progressConsumer;
    }

    /** Publishes a report of the progress of a rename. The producer reads the report when it reads the topic. */
    public void report(RenameProgress reported) {
        ConsumerRecord<String, String> report = new ConsumerRecord<>(
                Installation.DEFAULT.progress(),
                0,
                reports.getAndIncrement(),
                reported.requestId(),
                ProgressCodec.encode(reported));
        progressConsumer.schedulePollTask(() -> progressConsumer.addRecord(report));
    }

    int waitingCount() {
        return waiting.size();
    }

    void addPartition(int number) {
        consumer.updatePartitions(Installation.DEFAULT.outcomes(), infos(Installation.DEFAULT.outcomes(), number + 1));
        consumer.updateBeginningOffsets(Map.of(partition(number), 0L));
    }

    void partitionsOfRequests(int count) {
        requests.partitions = count;
    }

    private static List<PartitionInfo> infos(String topic, int count) {
        List<PartitionInfo> infos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            infos.add(new PartitionInfo(topic, i, Node.noNode(), new Node[0], new Node[0]));
        }
        return infos;
    }

    /** Appends an outcome to the topic. The producer does not read the outcome yet. */
    void append(int partition, String requestId, @Nullable String json) {
        long offset = ends.merge(partition, 1L, Long::sum) - 1;
        consumer.addRecord(new ConsumerRecord<>(Installation.DEFAULT.outcomes(), partition, offset, requestId, json));
    }

    void failNextPoll(KafkaException failure) {
        consumer.setPollException(failure);
    }

    /** Runs the first read of the reader of outcomes. */
    void tryToRead() {
        reader.tryToRead();
    }

    /** Runs one step of the reader of outcomes. */
    void read() {
        reader.step();
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(Installation.DEFAULT.outcomes(), number);
    }

    private final class Requests extends MockProducer<String, byte[]> {

        private final List<Optional<TraceContext>> traces = new CopyOnWriteArrayList<>();
        private boolean isHeldBack;
        private volatile int partitions = 1;

        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
            return infos(topic, partitions);
        }

        Requests() {
            super(false, null, new StringSerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<String, byte[]> request, @Nullable Callback callback) {
            traces.add(CurrentTrace.get());
            Future<RecordMetadata> sent = super.send(request, callback);
            if (!isHeldBack) {
                completeNext();
                String requestId = PeerWorker.id(request.headers());
                String outcome = worker.apply(requestId);
                if (outcome != null) {
                    append(0, requestId, outcome);
                    reader.step();
                }
            }
            return sent;
        }
    }
}
