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
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.rename.Asked.RenameRequest;
import org.treerename.rename.OnExisting;
import org.treerename.rename.Outcome;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/**
 * Random renames of files and directories from four producers over eight partitions and three workers, of which one is killed
 * on the way, one joins, and one is asked to stop. The checker judges it: in each partition, too, whether requests that
 * overlap ran in the order of the log.
 */
final class LoadIT {

    private static final Logger log = LoggerFactory.getLogger(LoadIT.class);

    private static final int RENAMES = Integer.getInteger("renames", 400);

    /** Long enough for busy processors. */
    private static final String LEASE = "--lease=20s";

    private static final int PRODUCERS = 4;
    private static final int IN_FLIGHT = 50;
    private static final int TOPS = 12;
    private static final int DIRECTORIES = 10;
    private static final int FILES = 16;

    private final AtomicInteger ended = new AtomicInteger();
    private final Map<String, Integer> statuses = new TreeMap<>();

    @Test
    void whatFourProducersAskOfThreeWorkersIsDoneThoughWorkersComeAndGo() throws InterruptedException {
        Tree tree = tree();
        Log.open().close();
        try (Janitors janitors = Janitors.start(1, LEASE)) {
            Judge judge = Judge.of(tree);
            Group group = Group.atTheEndOfTheLog();
            String[] options = {LEASE, group.option()};
            List<Thread> producers = new ArrayList<>();
            try (Workers first = Workers.start(3, options)) {
                for (int i = 0; i < PRODUCERS; i++) {
                    Random random = new Random(i);
                    producers.add(Thread.ofVirtual().name("producer-" + i).start(() -> produce(tree, random)));
                }
                awaitEnded(0.25);
                first.processes().get(0).kill();
                log.info("killed one after {} outcomes", ended);
                awaitEnded(0.5);
                try (Workers joined = Workers.start(1, options)) {
                    awaitEnded(0.75);
                    first.processes().get(1).stop(ChildProcess.PATIENCE);
                    log.info("stopped one after {} outcomes; {} joined before", ended, joined.ids());
                    for (Thread producer : producers) {
                        producer.join();
                    }
                    awaitEnded(1);
                    judge.assertGood(1);
                }
            }
            assertThat(janitors.processes()).allMatch(ChildProcess::isAlive);
            log.info("{} outcomes: {}", ended, statuses);
        }
        assertThat(statuses.keySet()).isSubsetOf("COMPLETED", "REJECTED");
        assertThat(statuses.getOrDefault("COMPLETED", 0)).as("completed").isGreaterThan(RENAMES / 20);
    }

    /** Some of the places are empty, so that many of the renames find what they look for and where to put it. */
    private static Tree tree() {
        Tree tree = Tree.create();
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

    private static String place(Random random, boolean directory) {
        String parent = "/top-" + random.nextInt(TOPS) + "/dir-" + random.nextInt(DIRECTORIES);
        return directory ? parent : parent + "/file-" + random.nextInt(FILES);
    }

    private void produce(Tree tree, Random random) {
        Semaphore inFlight = new Semaphore(IN_FLIGHT);
        try (RenameProducer producer =
                RenameProducer.connect(ProducerSettings.of(TestServers.kafkaBootstrapServers()))) {
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
        ended.incrementAndGet();
    }

    private void awaitEnded(double share) {
        Awaitility.await(share + " of the outcomes")
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofMinutes(30))
                .until(() -> ended.get() >= share * (RENAMES / PRODUCERS * PRODUCERS));
    }
}
