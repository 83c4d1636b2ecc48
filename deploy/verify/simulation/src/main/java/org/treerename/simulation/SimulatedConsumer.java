package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Chance;

/**
 * A worker's consumer of the simulated log. Like Kafka's consumer, this consumer receives and loses partitions only
 * during a poll. {@link #close} revokes all its partitions. This class overrides each method of {@link MockConsumer}
 * that a worker calls.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread calls this class, and must not wait in a lock
final class SimulatedConsumer extends MockConsumer<byte[], byte[]> {

    private static final int MOST_RECORDS = 5;
    private static final long FAST_NANOS = 5_000_000;
    private static final double LOSES_COMMIT = 0.05;

    private final World world;
    private final RequestLog log;
    private final Actor actor;
    private final Map<Integer, Long> positions = new TreeMap<>();
    private final Set<Integer> paused = new HashSet<>();
    /** The callbacks of asynchronous commits. The next poll or synchronous commit runs the callbacks. */
    private final Deque<Runnable> answers = new ArrayDeque<>();

    private @Nullable ConsumerRebalanceListener listener;
    private boolean processesAny;
    private boolean woken;

    /** The number of asynchronous commits without an answer. A synchronous commit waits for these answers. */
    private int underWay;

    SimulatedConsumer(World world, Actor actor) {
        super("earliest");
        this.world = world;
        this.log = world.log();
        this.actor = actor;
    }

    /** Sets whether the worker is processing any request that this consumer has returned. */
    void processesAny(boolean now) {
        processesAny = now;
    }

    /**
     * Makes the blocked poll throw {@link WakeupException}. If no poll is blocked, the next poll or synchronous commit
     * throws the exception.
     */
    @Override
    public void wakeup() {
        woken = true;
        log.wake(actor);
    }

    private void throwIfWoken() {
        if (woken) {
            woken = false;
            throw new WakeupException();
        }
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(Installation.DEFAULT.requests(), number);
    }

    private static List<TopicPartition> partitions(Collection<Integer> numbers) {
        return numbers.stream().map(SimulatedConsumer::partition).toList();
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener rebalances) {
        listener = rebalances;
    }

    private ConsumerRebalanceListener listener() {
        if (listener == null) {
            throw new IllegalStateException("expected a subscription before the first poll");
        }
        return listener;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return new HashSet<>(partitions(positions.keySet()));
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> paused.add(partition.partition()));
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> paused.remove(partition.partition()));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        answerCommits();
        changePartitions();
        throwIfWoken();
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fetched = fetched();
        if (fetched.isEmpty() && timeout.isPositive()) {
            log.awaitNews(actor, timeout);
            changePartitions();
            throwIfWoken();
            fetched = fetched();
        }
        return new ConsumerRecords<>(fetched, Map.of());
    }

    private void answerCommits() {
        while (!answers.isEmpty()) {
            answers.removeFirst().run();
        }
    }

    private void changePartitions() {
        if (!log.isMember(actor)) {
            List<Integer> lost = List.copyOf(positions.keySet());
            if (!lost.isEmpty()) {
                forget(lost);
                listener().onPartitionsLost(partitions(lost));
            }
            log.join(actor);
        }
        revoke(number -> log.isRevoked(actor, number));
        List<Integer> taken = log.take(actor);
        if (!taken.isEmpty()) {
            taken.forEach(number -> positions.put(number, log.committed(number).offset()));
            listener().onPartitionsAssigned(partitions(taken));
        }
    }

    private void revoke(Predicate<Integer> isRevoked) {
        List<Integer> revoked = new ArrayList<>(positions.keySet());
        revoked.removeIf(isRevoked.negate());
        if (!revoked.isEmpty()) {
            listener().onPartitionsRevoked(partitions(revoked));
            forget(revoked);
            revoked.forEach(number -> log.giveUp(actor, number));
        }
    }

    private void forget(Collection<Integer> numbers) {
        if (processesAny) {
            world.stage()
                    .happened(
                            Happening.GIVEN_UP_UNDER_WAY,
                            actor.name(),
                            () -> "loses the partitions " + numbers + " while it processes requests");
        }
        numbers.forEach(positions::remove);
        numbers.forEach(paused::remove);
    }

    private Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fetched() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fetched = new HashMap<>();
        int most = 1 + world.stage().chance().below(MOST_RECORDS);
        for (int number : List.copyOf(positions.keySet())) {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                fetch(number).map(world.wiring()::received).ifPresent(records::add);
            }
            if (!records.isEmpty()) {
                fetched.put(partition(number), records);
            }
        }
        if (!world.wiring().commitsAfterTheEnd() && !fetched.isEmpty()) {
            Map<Integer, OffsetAndMetadata> received = new TreeMap<>();
            positions.forEach((number, offset) -> received.put(number, new OffsetAndMetadata(offset)));
            log.commit(actor, log.membership(actor), received);
        }
        return fetched;
    }

    private Optional<ConsumerRecord<byte[], byte[]>> fetch(int number) {
        Long offset = positions.get(number);
        if (offset == null) {
            throw new NoOffsetForPartitionException(partition(number));
        }
        if (paused.contains(number)) {
            return Optional.empty();
        }
        Optional<ConsumerRecord<byte[], byte[]>> next = log.fetch(actor, number, offset);
        next.ifPresent(message -> positions.put(number, message.offset() + 1));
        return next;
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        throwIfWoken();
        world.scheduler().pause(world.stage().chance().between(0, FAST_NANOS));
        loseCommit();
        return partitions.stream().collect(Collectors.toMap(same -> same, same -> log.committed(same.partition())));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        throwIfWoken();
        world.scheduler().await(FAST_NANOS, () -> underWay == 0);
        answerCommits();
        commit(offsets, log.membership(actor));
        throwIfWoken();
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
        Objects.requireNonNull(callback);
        underWay++;
        int membership = log.membership(actor);
        world.scheduler().begin(actor, () -> {
            Exception failure = null;
            try {
                commit(offsets, membership);
            } catch (KafkaException e) {
                failure = e;
            }
            underWay--;
            Exception answer = failure;
            answers.add(() -> callback.onComplete(offsets, answer));
        });
    }

    private void commit(Map<TopicPartition, OffsetAndMetadata> offsets, int membership) {
        Chance chance = world.stage().chance();
        world.scheduler().pause(chance.between(0, FAST_NANOS));
        loseCommit();
        Map<Integer, OffsetAndMetadata> numbers = new TreeMap<>();
        offsets.forEach((partition, offset) -> numbers.put(partition.partition(), offset));
        log.commit(actor, membership, numbers);
        world.scheduler().pause(chance.between(0, FAST_NANOS));
        loseCommit();
    }

    private void loseCommit() {
        if (world.network().losesCommits() && world.stage().chance().happens(LOSES_COMMIT)) {
            world.stage()
                    .happened(Happening.LOST_COMMIT, actor.name(), () -> "gets no answer to its commit of offsets");
            throw new TimeoutException("no answer to the commit of offsets");
        }
    }

    /** A dead process does not leave the group, so the broker removes the process after the session timeout. */
    @Override
    public void close() {
        unsubscribe();
    }

    /** Revokes all partitions and leaves the group. */
    @Override
    public void unsubscribe() {
        if (actor.isAlive()) {
            revoke(number -> true);
            log.leave(actor);
        }
    }
}
