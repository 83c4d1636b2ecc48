package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Sends random renames of files and directories from four producers. Each producer has fifty requests in flight. The
 * system property {@code renames} sets the total number of renames.
 */
final class Load {

    static final int RENAMES = Integer.getInteger("renames", 400);

    private static final Logger log = LoggerFactory.getLogger(Load.class);
    private static final Duration LONGER_THAN_ANY_OUTAGE = Duration.ofHours(1);
    private static final int PRODUCERS = 4;
    private static final int IN_FLIGHT = 50;
    private static final int TOPS = 12;
    private static final int DIRECTORIES = 10;
    private static final int FILES = 16;

    private final Tree tree;
    private final String kafkaBootstrapServers;
    private final List<Thread> producers = new ArrayList<>();

    /** The number of outcomes by status. */
    private final Map<String, Integer> statuses = new TreeMap<>();

    /** The longest time from a request to the end of its rename. */
    private Duration slowest = Duration.ZERO;

    private Load(Tree tree, String kafkaBootstrapServers) {
        this.tree = tree;
        this.kafkaBootstrapServers = kafkaBootstrapServers;
    }

    /**
     * Creates documents at a part of the paths that the renames use. Therefore many renames have an existing source and
     * a free destination.
     */
    static Tree fill(Tree tree) {
        for (int top = 0; top < TOPS; top++) {
            tree.directories("/top-" + top);
            for (int directory = 0; directory < DIRECTORIES - 2; directory++) {
                tree.directories("/top-" + top + "/dir-" + directory);
                for (int file = 0; file < FILES / 2; file++) {
                    tree.files("/top-" + top + "/dir-" + directory + "/file-" + file);
                }
            }
        }
        return tree.index();
    }

    /** Starts the producers with seed 0 on a tree that {@link #fill} has filled. */
    static Load begin(Tree tree, String kafkaBootstrapServers) {
        return begin(tree, kafkaBootstrapServers, 0);
    }

    /** Starts the producers with this seed on a tree that {@link #fill} has filled. */
    static Load begin(Tree tree, String kafkaBootstrapServers, long seed) {
        Load load = new Load(tree, kafkaBootstrapServers);
        for (int i = 0; i < PRODUCERS; i++) {
            Random random = new Random(seed * PRODUCERS + i);
            load.producers.add(Thread.ofVirtual().name("producer-" + i).start(() -> load.produce(random)));
        }
        return load;
    }

    private static String place(Random random, boolean directory) {
        String parent = "/top-" + random.nextInt(TOPS) + "/dir-" + random.nextInt(DIRECTORIES);
        return directory ? parent : parent + "/file-" + random.nextInt(FILES);
    }

    private void produce(Random random) {
        Semaphore inFlight = new Semaphore(IN_FLIGHT);
        ProducerSettings settings = ProducerSettings.of(kafkaBootstrapServers)
                .withTimeouts(ProducerSettings.DEFAULT_API_TIMEOUT, LONGER_THAN_ANY_OUTAGE);
        try (RenameProducer producer = RenameProducer.connect(settings)) {
            List<CompletableFuture<Void>> sent = new ArrayList<>();
            for (int i = 0; i < RENAMES / PRODUCERS; i++) {
                inFlight.acquireUninterruptibly();
                boolean directory = random.nextInt(4) == 0;
                RenameRequest request = new RenameRequest(
                        producer.newRequestId(),
                        tree.name(),
                        place(random, directory),
                        place(random, directory),
                        OnExisting.FAIL,
                        null);
                sent.add(producer.send(request)
                        .thenAccept(this::count)
                        .whenComplete((nothing, failure) -> inFlight.release()));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
        }
    }

    private synchronized void count(Outcome outcome) {
        statuses.merge(outcome.status().name(), 1, Integer::sum);
        Duration took = Duration.between(outcome.requestedAt(), outcome.finishedAt());
        slowest = took.compareTo(slowest) > 0 ? took : slowest;
    }

    synchronized Duration slowest() {
        return slowest;
    }

    synchronized int ended() {
        return statuses.values().stream().mapToInt(Integer::intValue).sum();
    }

    void awaitEnded(double share) {
        Awaitility.await(share + " of the outcomes")
                .pollInterval(Duration.ofMillis(50))
                .atMost(LONGER_THAN_ANY_OUTAGE)
                .until(() -> ended() >= share * (RENAMES / PRODUCERS * PRODUCERS));
    }

    /** Waits until every request has an outcome. Asserts that no rename failed, and that enough renames completed. */
    void awaitAll() {
        awaitEnded(1);
        try {
            for (Thread producer : producers) {
                producer.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        log.info("{} outcomes, by status: {}", ended(), statuses);
        assertThat(statuses.keySet()).isSubsetOf("COMPLETED", "REJECTED");
        assertThat(statuses.getOrDefault("COMPLETED", 0))
                .as("number of completed renames")
                .isGreaterThan(RENAMES / 20);
    }
}
