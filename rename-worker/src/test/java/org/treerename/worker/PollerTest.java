package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.installation.Installation;

final class PollerTest {

    private static final Duration MOST = Duration.ofSeconds(1);

    private final List<String> commits = new ArrayList<>();
    private final InMemoryConsumer consumer = new InMemoryConsumer(commits::add);
    private final Poller poller = new Poller(consumer);

    /** Polls, and returns the timeout that the poller passed to the consumer. */
    private Duration wait(Poller of) {
        var unused = of.poll(MOST);
        return consumer.lastPollTimeout();
    }

    private void own(int partition) {
        consumer.subscribe(Set.of(Installation.DEFAULT.requests()));
        consumer.own(partition);
        var unused = poller.poll(MOST);
    }

    @Test
    void wakes_the_consumer_once_in_a_wait_and_the_next_poll_does_not_wait() {
        consumer.schedulePollTask(() -> {
            poller.wake();
            poller.wake();
        });

        assertThat(poller.poll(MOST)).isEmpty();
        assertThat(consumer.wakeups()).isEqualTo(1);
        assertThat(wait(poller)).isEqualTo(Duration.ZERO);
        assertThat(wait(poller)).isEqualTo(MOST);
    }

    @Test
    void does_not_wake_the_consumer_of_a_loop_that_works_and_the_next_poll_does_not_wait() {
        poller.wake();
        poller.wake();

        assertThat(wait(poller)).isEqualTo(Duration.ZERO);
        assertThat(wait(poller)).isEqualTo(MOST);
        assertThat(consumer.wakeups()).isZero();
    }

    @Test
    void a_wake_up_during_a_poll_that_does_not_wait_shortens_the_next_one() {
        poller.wake();
        consumer.schedulePollTask(poller::wake);

        assertThat(wait(poller)).isEqualTo(Duration.ZERO);
        assertThat(wait(poller)).isEqualTo(Duration.ZERO);
        assertThat(consumer.wakeups()).isZero();
    }

    @Test
    void returns_records_that_were_fetched_although_the_wait_was_woken() {
        own(0);
        consumer.schedulePollTask(() -> {
            poller.wake();
            consumer.addRecord(new ConsumerRecord<>(Installation.DEFAULT.requests(), 0, 0, null, new byte[0]));
        });

        assertThat(poller.poll(MOST).count()).isEqualTo(1);
        assertThat(poller.poll(MOST)).as("the late wake-up").isEmpty();
        assertThat(wait(poller)).isEqualTo(MOST);
    }

    @Test
    void repeats_a_commit_that_a_wake_up_interrupted_and_wakes_the_poll_around_it() {
        own(0);
        consumer.schedulePollTask(() -> {
            poller.wake();
            poller.commitSync(Map.of(InMemoryConsumer.partition(0), new OffsetAndMetadata(3)), MOST);
        });

        assertThat(poller.poll(MOST)).isEmpty();
        assertThat(commits).containsExactly("0@3");
        assertThat(consumer.wakeups()).isEqualTo(2);
    }

    /**
     * Another thread adds each item after the previous item was found. If a wake-up is lost, the poll blocks for an
     * hour, and the test times out.
     */
    @Test
    @Timeout(60)
    void finds_each_item_that_another_thread_adds_at_any_time() throws InterruptedException {
        int rounds = 20_000;
        Poller blocking = new Poller(new BlockingConsumer());
        Queue<Integer> items = new ConcurrentLinkedQueue<>();
        Semaphore found = new Semaphore(0);
        Thread adding = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < rounds; i++) {
                items.add(i);
                blocking.wake();
                found.acquireUninterruptibly();
            }
        });
        int collected = 0;
        while (collected < rounds) {
            var unused = blocking.poll(Duration.ofHours(1));
            while (items.poll() != null) {
                collected++;
                found.release();
            }
        }
        adding.join();

        assertThat(items).isEmpty();
    }

    /** A consumer whose poll waits for a wake-up, as the poll of Kafka's consumer does. */
    private static final class BlockingConsumer extends MockConsumer<byte[], byte[]> {

        private final Semaphore wakeups = new Semaphore(0);

        BlockingConsumer() {
            super("earliest");
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // another thread wakes the polling thread
        public void wakeup() {
            wakeups.release();
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // another thread wakes the polling thread
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            try {
                if (wakeups.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new WakeupException();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return ConsumerRecords.empty();
        }
    }
}
