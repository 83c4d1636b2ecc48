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

/** As many workers as are asked for, which share the requests' partitions. One thread calls it. */
final class Fleet implements AutoCloseable {

    /** The one in which workers are where nobody says otherwise. */
    private static final String GROUP = "rename-workers";

    private static final Duration SHARED_OUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Setting setting;
    private final Admin admin;
    private final String[] options;
    private final Deque<Service> workers = new ArrayDeque<>();

    /**
     * Starts none yet.
     *
     * @param options of each worker
     */
    Fleet(Setting setting, String... options) {
        this.setting = setting;
        this.options = options;
        this.admin = Admin.create(Map.of("bootstrap.servers", setting.stage().kafkaBootstrapServers()));
    }

    /** Returns when so many are live and have shared the partitions out. */
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
                throw new IllegalStateException(
                        count + " workers have not shared the partitions out within " + SHARED_OUT);
            }
            setting.time().pause(POLL);
        }
    }

    /** Whether each partition is read, and each worker reads as many as it can be. */
    private boolean isSharedOut() throws ExecutionException, InterruptedException {
        Collection<MemberDescription> members =
                admin.describeConsumerGroups(List.of(GROUP)).all().get().values().stream()
                        .findFirst()
                        .orElseThrow()
                        .members();
        List<Integer> shares = members.stream()
                .map(member -> member.assignment().topicPartitions().size())
                .toList();
        return shares.size() == workers.size()
                && shares.stream().mapToInt(Integer::intValue).sum() == Stage.PARTITIONS
                && shares.stream().allMatch(share -> share >= Stage.PARTITIONS / workers.size());
    }

    @Override
    public void close() {
        workers.forEach(Service::close);
        admin.close();
    }
}
