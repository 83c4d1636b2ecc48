package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.treerename.installation.Installation;

/**
 * Starts and stops workers, and waits until the partitions of the request topic are assigned to them. Only one thread
 * calls this class.
 */
final class Fleet implements AutoCloseable {

    /** The default consumer group of the workers. */
    private static final String GROUP = Installation.DEFAULT.workers();

    private static final Duration SHARED_OUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Setting setting;
    private final Admin admin;
    private final String[] options;
    private final Deque<Service> workers = new ArrayDeque<>();

    /**
     * Creates a fleet without workers.
     *
     * @param options the options of each worker
     */
    Fleet(Setting setting, String... options) {
        this.setting = setting;
        this.options = options;
        this.admin = Admin.create(Map.of("bootstrap.servers", setting.stage().kafkaBootstrapServers()));
    }

    /**
     * Starts or stops workers until {@code count} workers run. Then blocks until the partitions are assigned to these
     * workers.
     */
    void resize(int count) throws ExecutionException, InterruptedException {
        while (workers.size() > count) {
            workers.pop().close();
        }
        while (workers.size() < count) {
            workers.push(setting.stage().worker(options));
        }
        long begun = setting.time().nanos();
        while (!isSharedOut()) {
            if (setting.time().nanos() - begun > SHARED_OUT.toNanos()) {
                throw new IllegalStateException("expected an even assignment of all partitions within " + SHARED_OUT
                        + ", found none (workers: " + count + ")");
            }
            setting.time().pause(POLL);
        }
    }

    /**
     * Returns whether all partitions are assigned, and each worker has at least the average number of partitions,
     * rounded down.
     */
    private boolean isSharedOut() throws ExecutionException, InterruptedException {
        List<Integer> shares = members().stream()
                .map(member -> member.assignment().topicPartitions().size())
                .toList();
        return shares.size() == workers.size()
                && shares.stream().mapToInt(Integer::intValue).sum() == Stage.PARTITIONS
                && shares.stream().allMatch(share -> share >= Stage.PARTITIONS / workers.size());
    }

    /** Returns the members of the consumer group. The first member creates the group. */
    private Collection<MemberDescription> members() throws ExecutionException, InterruptedException {
        try {
            return admin.describeConsumerGroups(List.of(GROUP)).all().get().values().stream()
                    .findFirst()
                    .orElseThrow()
                    .members();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return List.of();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        workers.forEach(Service::close);
        admin.close();
    }
}
