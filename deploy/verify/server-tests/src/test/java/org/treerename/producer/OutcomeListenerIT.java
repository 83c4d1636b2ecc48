package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.testservers.TestServers;

/** Tests listeners of outcomes with a real Kafka. {@link PeerWorker} publishes the outcomes. */
class OutcomeListenerIT {

    private final String servers = TestServers.kafkaBootstrapServers();
    /** The prefix of the request ids of this test. Outcomes of other tests are in the same topic. */
    private final String prefix = UUID.randomUUID() + "-";

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final Set<OutcomePosition> positions = ConcurrentHashMap.newKeySet();
    private PeerWorker worker;
    private RenameProducer producer;

    @BeforeEach
    void start() throws Exception {
        worker = new PeerWorker(servers);
        producer = RenameProducer.connect(ProducerSettings.of(servers));
    }

    @AfterEach
    void stop() throws Exception {
        producer.close();
        worker.close();
    }

    private void publish(int partition, String name) {
        worker.publish(partition, prefix + name, OutcomeTexts.json(OutcomeTexts.completed(prefix + name, 1)));
    }

    private void receive(PublishedOutcome outcome, OutcomePosition position) {
        if (outcome.outcome().requestId().startsWith(prefix)) {
            received.add(outcome.outcome().requestId().substring(prefix.length()));
        }
        positions.add(position);
    }

    private List<String> next(int count) throws InterruptedException {
        List<String> next = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = received.poll(120, TimeUnit.SECONDS);
            assertThat(name).as("outcome %d after %s", i, next).isNotNull();
            next.add(name);
        }
        return next;
    }

    @Test
    void from_the_end_a_listener_receives_the_outcomes_of_all_partitions_and_no_older_one() throws Exception {
        publish(0, "old");

        try (OutcomeSubscription subscription = producer.subscribe(OutcomeStart.end(), this::receive)) {
            publish(0, "a");
            publish(1, "b");
            publish(2, "c");

            assertThat(next(3)).containsExactlyInAnyOrder("a", "b", "c");
            assertThat(subscription.isRunning()).isTrue();
        }
        publish(0, "late");
        assertThat(received.poll(2, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void a_group_continues_behind_the_processed_outcomes() throws Exception {
        OutcomeStart group = OutcomeStart.group("group-" + prefix);
        publish(0, "a");
        OutcomeSubscription first = producer.subscribe(group, this::receive);
        assertThat(next(1)).containsExactly("a");
        first.close();
        assertThat(first.isRunning()).isFalse();
        publish(0, "b");

        try (OutcomeSubscription second = producer.subscribe(group, this::receive)) {
            assertThat(next(1)).containsExactly("b");
            assertThat(received.poll(2, TimeUnit.SECONDS)).isNull();
            assertThat(second.isRunning()).isTrue();
        }
    }

    @Test
    void an_outcome_whose_call_fails_arrives_again_before_the_next_one_of_its_partition() throws Exception {
        Set<String> failed = ConcurrentHashMap.newKeySet();
        OutcomeListener listener = (outcome, position) -> {
            receive(outcome, position);
            if (outcome.outcome().requestId().equals(prefix + "a") && failed.add("a")) {
                throw new IllegalStateException("a failure of the listener, as the test expects");
            }
        };

        try (OutcomeSubscription subscription = producer.subscribe(OutcomeStart.end(), listener)) {
            publish(0, "a");
            publish(0, "b");

            assertThat(next(3)).containsExactly("a", "a", "b");
            assertThat(subscription.isRunning()).isTrue();
        }
    }

    @Test
    void a_program_continues_behind_the_positions_that_it_has_stored() throws Exception {
        try (OutcomeSubscription first = producer.subscribe(OutcomeStart.end(), this::receive)) {
            publish(0, "a");
            publish(1, "b");
            publish(2, "c");
            assertThat(next(3)).containsExactlyInAnyOrder("a", "b", "c");
            assertThat(first.isRunning()).isTrue();
        }
        Set<OutcomePosition> stored = Set.copyOf(positions);
        publish(1, "d");

        try (OutcomeSubscription second = producer.subscribe(OutcomeStart.after(stored), this::receive)) {
            assertThat(next(1)).containsExactly("d");
            assertThat(second.isRunning()).isTrue();
        }
    }

    @Test
    void a_partition_without_a_position_is_read_from_its_beginning() throws Exception {
        publish(0, "a");

        try (OutcomeSubscription subscription = producer.subscribe(OutcomeStart.after(List.of()), this::receive)) {
            assertThat(next(1)).containsExactly("a");
            assertThat(subscription.isRunning()).isTrue();
        }
    }

    @Test
    void skips_a_record_that_is_no_outcome() throws Exception {
        try (OutcomeSubscription subscription = producer.subscribe(OutcomeStart.end(), this::receive)) {
            worker.publish(0, prefix + "broken", "no outcome");
            publish(0, "a");

            assertThat(next(1)).containsExactly("a");
            assertThat(subscription.isRunning()).isTrue();
        }
    }

    @Test
    void close_waits_for_the_running_call_and_commits_it() throws Exception {
        OutcomeStart group = OutcomeStart.group("group-" + prefix);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        OutcomeSubscription first = producer.subscribe(group, (outcome, position) -> {
            receive(outcome, position);
            if (outcome.outcome().requestId().equals(prefix + "a")) {
                begun.countDown();
                assertThat(mayEnd.await(120, TimeUnit.SECONDS)).isTrue();
            }
        });
        publish(0, "a");
        assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
        Thread closer = Thread.ofPlatform().start(first::close);
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> !first.isRunning());
        mayEnd.countDown();
        closer.join(120_000);
        assertThat(next(1)).containsExactly("a");
        publish(0, "b");

        try (OutcomeSubscription second = producer.subscribe(group, this::receive)) {
            assertThat(next(1)).containsExactly("b");
            assertThat(second.isRunning()).isTrue();
        }
    }

    @Test
    void the_listener_may_close_its_own_subscription() throws Exception {
        List<OutcomeSubscription> own = new ArrayList<>();
        CountDownLatch known = new CountDownLatch(1);
        own.add(producer.subscribe(OutcomeStart.end(), (outcome, position) -> {
            assertThat(known.await(120, TimeUnit.SECONDS)).isTrue();
            receive(outcome, position);
            own.getFirst().close();
        }));
        known.countDown();

        publish(0, "a");
        publish(0, "b");

        assertThat(next(1)).containsExactly("a");
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> !own.getFirst().isRunning());
        assertThat(received.poll(2, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void the_end_of_the_client_ends_its_subscriptions() {
        OutcomeSubscription subscription = producer.subscribe(OutcomeStart.end(), this::receive);

        producer.close();

        assertThat(subscription.isRunning()).isFalse();
        assertThatThrownBy(() -> producer.subscribe(OutcomeStart.end(), this::receive))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot subscribe: the client is closed");
    }
}
