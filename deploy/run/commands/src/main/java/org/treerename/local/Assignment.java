package org.treerename.local;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.treerename.installation.Installation;

/**
 * The assignment of the request topic's partitions to the workers. A worker processes the requests in the partitions
 * that are assigned to it.
 *
 * @param members the consumer id of the assigned worker, by partition
 */
record Assignment(Map<Integer, String> members) {

    static Assignment read(Admin admin) {
        Map<Integer, String> members = new HashMap<>();
        group(admin)
                .members()
                .forEach(member -> member.assignment().topicPartitions().stream()
                        .filter(partition -> partition.topic().equals(Installation.DEFAULT.requests()))
                        .forEach(partition -> members.put(partition.partition(), member.consumerId())));
        return new Assignment(members);
    }

    private static ConsumerGroupDescription group(Admin admin) {
        try {
            return admin.describeConsumerGroups(List.of(Installation.DEFAULT.workers())).all().get().values().stream()
                    .findFirst()
                    .orElseThrow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading the consumer group of the workers", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot read the consumer group of the workers: " + e.getCause(), e);
        }
    }

    /** Returns whether every partition has a worker, and every worker has a partition. */
    boolean isComplete(int workers) {
        return members.size() == RunningStack.PARTITIONS && new HashSet<>(members.values()).size() == workers;
    }
}
