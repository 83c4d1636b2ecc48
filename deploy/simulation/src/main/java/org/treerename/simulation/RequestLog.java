package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.Delivery;
import org.treerename.simulation.schedule.Actor;

/**
 * Kafka as far as a worker sees it: a log in partitions, a group that shares them out, an offset for each partition, and
 * deliveries from there on to whoever gets the partition next.
 */
final class RequestLog {

    /** One partition: its records, the offset of the group, and who has it and stands where. */
    private static final class Partition {
        final List<Delivery> records = new ArrayList<>();
        int committed;

        @Nullable
        Actor owner;

        int position;
    }

    private final Stage stage;
    private final long sessionNanos;
    private final List<Partition> partitions = new ArrayList<>();
    private final List<Actor> members = new ArrayList<>();
    private final Set<String> delivered = new HashSet<>();

    RequestLog(Stage stage, int partitionCount, long sessionNanos) {
        this.stage = stage;
        this.sessionNanos = sessionNanos;
        for (int i = 0; i < partitionCount; i++) {
            partitions.add(new Partition());
        }
    }

    int partitionCount() {
        return partitions.size();
    }

    int end(int partition) {
        return partitions.get(partition).records.size();
    }

    void append(int partition, Delivery delivery) {
        partitions.get(partition).records.add(delivery);
    }

    void join(Actor member) {
        members.add(member);
        rebalance();
    }

    void leave(Actor member) {
        if (members.remove(member)) {
            rebalance();
        }
    }

    /** Whoever is dead or frozen for longer than a session is out of the group, once the broker has noticed. */
    void expire(Actor member) {
        stage.scheduler().after(sessionNanos, () -> {
            if (!member.isAlive()
                    || member.frozenUntilNanos() > stage.scheduler().nowNanos()) {
                leave(member);
            }
        });
    }

    void rebalance() {
        stage.happened(
                Happening.REBALANCE, "kafka", () -> "shares " + partitions.size() + " partitions out to " + members);
        for (Partition partition : partitions) {
            Actor next = members.isEmpty() ? null : stage.chance().of(members);
            if (next != partition.owner) {
                partition.owner = next;
                partition.position = partition.committed;
            }
        }
    }

    /** The next record of a member's partitions; a member that was put out of the group is in it again. */
    Optional<Delivery> poll(Actor member) {
        if (!members.contains(member)) {
            join(member);
        }
        for (int i = 0; i < partitions.size(); i++) {
            Partition partition = partitions.get(i);
            if (partition.owner == member && partition.position < partition.records.size()) {
                Delivery next = partition.records.get(partition.position);
                partition.position++;
                if (!delivered.add(next.place().toString())) {
                    stage.happened(
                            Happening.REDELIVERY, member.name(), () -> "is delivered " + next.place() + " once more");
                }
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    /** Whether a member still has the partition of what it was delivered. */
    boolean has(Actor member, Delivery delivery) {
        return partitions.get(delivery.place().partition()).owner == member;
    }

    /** Lets an offset go; who does not have the partition any more cannot. */
    void commit(Actor member, Delivery delivery) {
        Partition partition = partitions.get(delivery.place().partition());
        if (partition.owner == member) {
            partition.committed =
                    Math.max(partition.committed, (int) delivery.place().offset() + 1);
        }
    }

    /** Whether every record was let go. */
    boolean isDone() {
        return partitions.stream().allMatch(partition -> partition.committed == partition.records.size());
    }
}
