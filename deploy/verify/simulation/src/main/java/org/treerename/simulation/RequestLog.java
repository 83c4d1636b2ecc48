package org.treerename.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.journal.Delivery;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.schedule.Actor;

/**
 * The simulated broker: a log in partitions, a consumer group, and the committed offset of the group for each
 * partition. The group assigns a partition to a new owner only after the previous owner has given up the partition or
 * has left the group.
 */
final class RequestLog {

    /** One partition: its records, the committed offset of the group, its current owner, and its next owner. */
    private static final class Partition {
        final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        OffsetAndMetadata committed = new OffsetAndMetadata(0);

        @Nullable
        Actor owner;

        @Nullable
        Actor next;
    }

    private static final int LEADER_EPOCH = 0;

    private final Stage stage;
    private final long sessionNanos;
    private final List<Partition> partitions = new ArrayList<>();
    private final List<Actor> members = new ArrayList<>();
    private final Set<String> delivered = new HashSet<>();

    /** The number of times that each member has joined the group. Kafka calls this number a generation or an epoch. */
    private final Map<Actor, Integer> joins = new HashMap<>();

    /** The action that wakes each member that waits in a poll. A later wait of the same member replaces the action. */
    private final Map<Actor, Runnable> polls = new LinkedHashMap<>();

    RequestLog(Stage stage, int partitionCount, long sessionNanos) {
        this.stage = stage;
        this.sessionNanos = sessionNanos;
        for (int i = 0; i < partitionCount; i++) {
            partitions.add(new Partition());
        }
    }

    /** Appends a record to a random partition. */
    RecordPosition append(byte[] value, long atMillis) {
        int number = stage.chance().below(partitions.size());
        List<ConsumerRecord<byte[], byte[]>> records = partitions.get(number).records;
        RecordPosition place = new RecordPosition(Installation.DEFAULT.requests(), number, records.size());
        records.add(new ConsumerRecord<>(
                Installation.DEFAULT.requests(),
                number,
                place.offset(),
                atMillis,
                TimestampType.LOG_APPEND_TIME,
                0,
                value.length,
                null,
                value,
                new RecordHeaders(),
                Optional.of(LEADER_EPOCH)));
        wake();
        return place;
    }

    void addPartition() {
        partitions.add(new Partition());
        stage.happened(Happening.PARTITION_ADDED, "kafka", () -> "has " + partitions.size() + " partitions now");
        rebalance();
    }

    boolean isMember(Actor actor) {
        return members.contains(actor);
    }

    void join(Actor actor) {
        members.add(actor);
        joins.merge(actor, 1, Integer::sum);
        rebalance();
    }

    /**
     * Returns how often a member has joined the group. A commit contains the number at the time when the member sends
     * the commit.
     */
    int membership(Actor member) {
        return joins.getOrDefault(member, 0);
    }

    /** Removes a member from the group. The member loses its partitions. */
    void leave(Actor member) {
        if (members.remove(member)) {
            for (Partition partition : partitions) {
                if (partition.owner == member) {
                    partition.owner = null;
                }
            }
            rebalance();
        }
    }

    /** Removes a member from the group after the session timeout, if the member is dead or frozen at that time. */
    void expire(Actor member) {
        stage.scheduler().after(sessionNanos, () -> {
            if (!member.isAlive()
                    || member.frozenUntilNanos() > stage.scheduler().nowNanos()) {
                leave(member);
            }
        });
    }

    /** Removes a live member from the group, as a broker does if the heartbeats of the member do not arrive. */
    void expelAMember() {
        if (!members.isEmpty()) {
            Actor member = stage.chance().of(members);
            stage.happened(Happening.EXPELLED, "kafka", () -> "removes " + member + " from the group");
            leave(member);
        }
    }

    void rebalance() {
        stage.happened(
                Happening.REBALANCE, "kafka", () -> "assigns " + partitions.size() + " partitions to " + members);
        for (Partition partition : partitions) {
            partition.next = members.isEmpty() ? null : stage.chance().of(members);
        }
        wake();
    }

    /** Returns whether a member must give up a partition. */
    boolean isRevoked(Actor member, int partition) {
        return partitions.get(partition).next != member;
    }

    void giveUp(Actor member, int partition) {
        Partition given = partitions.get(partition);
        if (given.owner == member) {
            given.owner = null;
            wake();
        }
    }

    /**
     * Assigns the free partitions that are planned for a member to this member. Returns the numbers of these
     * partitions.
     */
    List<Integer> take(Actor member) {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++) {
            Partition partition = partitions.get(i);
            if (partition.owner == null && partition.next == member) {
                partition.owner = member;
                taken.add(i);
            }
        }
        return taken;
    }

    OffsetAndMetadata committed(int partition) {
        return partitions.get(partition).committed;
    }

    /** Returns the record at an offset; empty if the log ends before this offset. */
    Optional<ConsumerRecord<byte[], byte[]>> fetch(Actor member, int partition, long offset) {
        List<ConsumerRecord<byte[], byte[]>> records = partitions.get(partition).records;
        if (offset >= records.size()) {
            return Optional.empty();
        }
        ConsumerRecord<byte[], byte[]> next = records.get((int) offset);
        stage.report(
                member.name(),
                () -> "receives " + partition + "@" + offset + ": " + new String(next.value(), StandardCharsets.UTF_8));
        if (!delivered.add(partition + "@" + offset)) {
            stage.happened(Happening.REDELIVERY, member.name(), () -> "receives it again");
        }
        return Optional.of(next);
    }

    /** Returns the first record of a request that the group has not finished, as a gateway reads this record. */
    Optional<Delivery> waiting(String requestId) {
        return partitions.stream()
                .flatMap(partition -> partition.records.stream().skip(partition.committed.offset()))
                .flatMap(message -> RequestCodec.read(message) instanceof RequestCodec.Decoded.Usable usable
                        ? Stream.of(Delivery.of(
                                usable.asked(),
                                usable.digest(),
                                new RecordPosition(message.topic(), message.partition(), message.offset()),
                                message.timestamp(),
                                null))
                        : Stream.empty())
                .filter(delivery -> delivery.requestId().equals(requestId))
                .findFirst();
    }

    /**
     * Commits offsets of the group.
     *
     * @param membership the {@link #membership} of the member when the member sent the commit
     * @throws CommitFailedException if another member or no member owns one of the partitions, or if the member has
     *     left the group since it sent the commit
     */
    void commit(Actor member, int membership, Map<Integer, OffsetAndMetadata> offsets) {
        if (!members.contains(member)
                || membership != membership(member)
                || offsets.keySet().stream().anyMatch(number -> partitions.get(number).owner != member)) {
            throw new CommitFailedException();
        }
        stage.report(member.name(), () -> "commits the offsets " + offsets);
        offsets.forEach((number, offset) -> partitions.get(number).committed = offset);
    }

    /**
     * Suspends the current task until a record is appended, the assignment of the partitions changes, or the timeout
     * ends.
     */
    void awaitNews(Actor member, Duration most) {
        stage.scheduler().suspend(wake -> {
            polls.put(member, wake);
            stage.scheduler().after(most.toNanos(), wake);
        });
        polls.remove(member);
    }

    /** Ends the wait of one member, if the member waits. */
    void wake(Actor member) {
        Runnable poll = polls.remove(member);
        if (poll != null) {
            stage.scheduler().after(0, poll);
        }
    }

    private void wake() {
        List.copyOf(polls.keySet()).forEach(this::wake);
    }

    /** Returns an object through which a janitor reads this log. */
    org.treerename.request.RequestLog retained(Duration retention) {
        return new org.treerename.request.RequestLog() {
            @Override
            public Optional<Duration> retention() {
                return Optional.of(retention);
            }

            @Override
            public boolean isFinishedBefore(Instant time) {
                return partitions.stream()
                        .allMatch(partition ->
                                partition
                                        .records
                                        .subList((int) partition.committed.offset(), partition.records.size())
                                        .stream()
                                        .noneMatch(message -> message.timestamp() < time.toEpochMilli()));
            }
        };
    }

    /** Returns whether the offset of every record is committed. */
    boolean isDone() {
        for (Partition partition : partitions) {
            if (partition.committed.offset() != partition.records.size()) {
                return false;
            }
        }
        return true;
    }
}
