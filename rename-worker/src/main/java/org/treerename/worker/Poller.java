package org.treerename.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Polls the consumer of one loop. Any thread may call {@link #wake}; all else is for the thread of the loop.
 *
 * <p>{@link Consumer#wakeup} makes the next call that blocks throw, whichever call that is. So it is called only while the loop
 * waits for records, and once in each such wait. If it hits a commit within a rebalance, the commit is sent again, and the poll around
 * it is woken afterwards. A wake-up that comes while the loop works makes its next poll return at once.
 */
final class Poller {

    private enum State {
        WORKING,
        /** The loop works, and there is something that it may not have seen. */
        NEWS,
        WAITING,
        /** The loop waits, or has just stopped to; its consumer was or will be woken. */
        WOKEN
    }

    private final Consumer<byte[], byte[]> consumer;
    private final AtomicReference<State> state = new AtomicReference<>(State.WORKING);

    Poller(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Ends the wait for records. A thread calls it after it has left what the loop is to find. */
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
     * Returns the next records; none where it was woken first. The poll after a wake-up does not wait, so that records are taken
     * however often the loop is woken.
     *
     * @param most how long to wait for records
     */
    ConsumerRecords<byte[], byte[]> poll(Duration most) {
        State before = state.getAndUpdate(now -> now == State.NEWS ? State.WORKING : State.WAITING);
        try {
            return consumer.poll(before == State.NEWS ? Duration.ZERO : most);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        } finally {
            state.getAndUpdate(now -> switch (now) {
                case WORKING, WAITING -> State.WORKING;
                case NEWS, WOKEN -> State.NEWS;
            });
        }
    }

    /** Commits these offsets and blocks until Kafka has acknowledged them. */
    void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        boolean woken = false;
        boolean committed = false;
        try {
            while (!committed) {
                try {
                    consumer.commitSync(offsets, timeout);
                    committed = true;
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
