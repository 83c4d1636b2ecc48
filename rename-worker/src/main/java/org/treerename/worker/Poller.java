package org.treerename.worker;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Polls the consumer of one loop. Any thread may call {@link #wake}. Only the thread of the loop may call the other
 * methods.
 *
 * <p>{@link Consumer#wakeup} makes the next blocking call to the consumer throw an exception. So the poller calls
 * {@code wakeup} only while the loop waits for records, and only once in each wait. If a wake-up interrupts another
 * call within a rebalance, the poller repeats the call. After the call, the poller ends the poll in which the rebalance
 * occurred. If a wake-up comes while the loop works, the next poll returns immediately.
 */
final class Poller {

    private enum State {
        WORKING,
        /** The loop works. A thread has called {@link Poller#wake}, so the next poll must not wait. */
        NEWS,
        WAITING,
        /** The loop waits or has just stopped waiting. A thread has woken the consumer, or will wake it soon. */
        WOKEN
    }

    private final Consumer<byte[], byte[]> consumer;
    private final AtomicReference<State> state = new AtomicReference<>(State.WORKING);

    Poller(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Ends the wait for records. A thread must add its report for the loop before it calls this method. */
    void wake() {
        State before = state.getAndUpdate(now -> switch (now) {
            case WORKING, NEWS -> State.NEWS;
            case WAITING, WOKEN -> State.WOKEN;
        });
        if (before == State.WAITING) {
            consumer.wakeup();
        }
    }

    /**
     * Returns the next records, or no records if a wake-up comes first. The poll after a wake-up does not wait. So the
     * loop receives records even if wake-ups are very frequent.
     *
     * @param timeout how long to wait for records
     */
    ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        State before = state.getAndUpdate(now -> now == State.NEWS ? State.WORKING : State.WAITING);
        try {
            return consumer.poll(before == State.NEWS ? Duration.ZERO : timeout);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        } finally {
            state.getAndUpdate(now -> switch (now) {
                case WORKING, WAITING -> State.WORKING;
                case NEWS, WOKEN -> State.NEWS;
            });
        }
    }

    /** Commits these offsets, and blocks until Kafka has acknowledged the commit. */
    void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        var unused = blocking(() -> {
            consumer.commitSync(offsets, timeout);
            return true;
        });
    }

    /** Returns the committed offsets, and blocks until Kafka has answered. */
    Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        return blocking(() -> consumer.committed(partitions, timeout));
    }

    /** Repeats the call after a wake-up. A wake-up then ends the next poll. */
    private <T> T blocking(Supplier<T> call) {
        boolean woken = false;
        try {
            while (true) {
                try {
                    return call.get();
                } catch (WakeupException e) {
                    woken = true;
                }
            }
        } finally {
            if (woken) {
                consumer.wakeup();
            }
        }
    }
}
