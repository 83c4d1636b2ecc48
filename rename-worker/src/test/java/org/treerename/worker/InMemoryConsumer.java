package org.treerename.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;

/**
 * A consumer of requests that behaves like Kafka's consumer in more cases than {@link MockConsumer}. The assignment
 * changes during a poll. A close revokes all partitions. A commit for a partition that is not assigned fails. The
 * answer to an asynchronous commit arrives in a later poll or in a later synchronous commit. After a wake-up, the next
 * call that can block throws an exception. If a poll returns records, a wake-up during this poll affects only the
 * following call.
 */
final class InMemoryConsumer extends MockConsumer<byte[], byte[]> {

    /** The maximum number of polls in a test. If a loop polls more often, the test fails. */
    private static final int MOST_POLLS = 1_000;

    private final java.util.function.Consumer<String> commits;
    private @Nullable KafkaException commitFailure;
    private @Nullable KafkaException readFailure;
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private boolean withholding;
    private boolean losing;
    private boolean woken;
    private int wakeups;
    private int polls;

    /**
     * Creates a consumer without partitions.
     *
     * @param commits receives each commit as text, for example {@code 0@7 1@3} for offset 7 of partition 0 and offset 3
     *     of partition 1
     */
    InMemoryConsumer(java.util.function.Consumer<String> commits) {
        super("earliest");
        this.commits = commits;
    }

    static TopicPartition partition(int number) {
        return new TopicPartition(Installation.DEFAULT.requests(), number);
    }

    private static List<TopicPartition> partitions(int... numbers) {
        return Arrays.stream(numbers).mapToObj(InMemoryConsumer::partition).toList();
    }

    /** Lets the next poll assign exactly these partitions. The poll revokes all other partitions. */
    void own(int... numbers) {
        List<TopicPartition> partitions = partitions(numbers);
        partitions.forEach(partition -> updateBeginningOffsets(Map.of(partition, 0L)));
        schedulePollTask(() -> rebalance(partitions));
    }

    /**
     * Lets the next poll run the event, and then assign exactly these partitions. The poll revokes all other
     * partitions.
     */
    void ownAfter(Runnable event, int... numbers) {
        schedulePollTask(() -> {
            event.run();
            rebalance(partitions(numbers));
        });
    }

    /** Lets the next poll keep exactly these partitions, and report the other partitions as lost. */
    void loseAllBut(int... numbers) {
        schedulePollTask(() -> {
            losing = true;
            rebalance(partitions(numbers));
            losing = false;
        });
    }

    /** Makes all later commits fail with this exception. With null, all later commits succeed. */
    void failCommits(@Nullable KafkaException failure) {
        commitFailure = failure;
    }

    /** Makes all later reads of committed offsets fail with this exception. */
    void failReads(KafkaException failure) {
        readFailure = failure;
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        throwIfWoken();
        if (readFailure != null) {
            throw readFailure;
        }
        return super.committed(partitions, timeout);
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                listener.onPartitionsAssigned(partitions);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                if (losing) {
                    listener.onPartitionsLost(partitions);
                } else {
                    listener.onPartitionsRevoked(partitions);
                }
            }
        });
    }

    /**
     * Withholds the answers to asynchronous commits from now on if the argument is true. If it is false, the next poll
     * delivers the answers.
     */
    void withholdAnswers(boolean now) {
        withholding = now;
    }

    /** Returns how often the consumer was woken. */
    int wakeups() {
        return wakeups;
    }

    @Override
    public void wakeup() {
        wakeups++;
        woken = true;
    }

    private void throwIfWoken() {
        if (woken) {
            woken = false;
            throw new WakeupException();
        }
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        polls++;
        if (polls > MOST_POLLS) {
            throw new AssertionError(MOST_POLLS + " polls: the loop does not end");
        }
        throwIfWoken();
        answerCommits();
        ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
        if (records.isEmpty()) {
            throwIfWoken();
        }
        return records;
    }

    private void answerCommits() {
        while (!withholding && !answers.isEmpty()) {
            answers.removeFirst().run();
        }
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
        Objects.requireNonNull(callback);
        KafkaException failure = commit(offsets);
        answers.add(() -> callback.onComplete(offsets, failure));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        throwIfWoken();
        answers.forEach(Runnable::run);
        answers.clear();
        KafkaException failure = commit(offsets);
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable KafkaException commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (commitFailure != null) {
            return commitFailure;
        }
        if (!assignment().containsAll(offsets.keySet())) {
            return new CommitFailedException();
        }
        super.commitAsync(offsets, null);
        commits.accept(offsets.entrySet().stream()
                .map(e -> e.getKey().partition() + "@" + e.getValue().offset())
                .sorted()
                .collect(Collectors.joining(" ")));
        return null;
    }

    @Override
    public synchronized void unsubscribe() {
        rebalance(List.of());
        super.unsubscribe();
    }

    @Override
    public void close() {
        rebalance(List.of());
        super.close();
    }
}
