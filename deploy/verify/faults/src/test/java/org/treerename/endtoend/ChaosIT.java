package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.endtoend.Console.Ended;
import org.treerename.stack.KafkaServer;

/**
 * Runs {@link Chaos} during random renames. The index of another tree is closed half of the time, and that of a third
 * tree all the time. Each request has one outcome, no rename is left open, and the audit finds no leak.
 *
 * <p>This test belongs to {@code -Pfull}, because it takes several minutes. {@code -Dchaos.minutes} sets the number of
 * minutes. By default, the tests of each single fault and the simulation check the same behaviour. {@code -Dchaos.seed}
 * repeats the events of a run, but not their times.
 */
@Tag("full")
final class ChaosIT {

    private static final Logger log = LoggerFactory.getLogger(ChaosIT.class);
    private static final Duration LENGTH = Duration.ofMinutes(Long.getLong("chaos.minutes", 2));

    /**
     * Without the time in which Elasticsearch does not run. A rename may wait for a frozen process, and for the
     * partitions of a dead worker, but never for a tree that is not available.
     */
    private static final Duration LONGEST_RENAME = Duration.ofMinutes(5);

    private static final long SEED = Long.getLong("chaos.seed", new Random().nextInt(1_000_000));

    @Test
    void each_request_has_one_outcome_whatever_is_killed_frozen_or_refused() throws Exception {
        log.info("chaos.seed={}, chaos.minutes={}", SEED, LENGTH.toMinutes());
        KafkaServer kafka = KillableServers.kafka();
        Elasticsearch elasticsearch =
                Elasticsearch.at(KillableServers.elasticsearch().url());
        try (Log topics = Log.at(kafka.bootstrapServers())) {
            Tree tree = Load.fill(Tree.createIn(elasticsearch));
            ChangeCheck changeCheck = ChangeCheck.of(elasticsearch, kafka.bootstrapServers(), tree);
            Group group = Group.atTheEndOfTheLog(kafka.bootstrapServers());
            List<String> options =
                    List.of("--kafka-bootstrap-servers=" + kafka.bootstrapServers(), "--lease=5s", "--page-size=5");
            try (Chaos chaos = new Chaos(elasticsearch, SEED, options, group.option());
                    UnavailableTree often = new UnavailableTree(elasticsearch, Duration.ofSeconds(7));
                    UnavailableTree never = new UnavailableTree(elasticsearch, Duration.ZERO);
                    Viewers viewers =
                            Viewers.start(changeCheck, elasticsearch, tree, List.of("/", "/top-1", "/top-2"))) {
                group.awaitShared(3);
                AtomicBoolean isLoading = new AtomicBoolean(true);
                CompletableFuture<Duration> loading = load(tree, kafka, isLoading);
                List<CompletableFuture<Duration>> others =
                        List.of(load(often.tree(), kafka, isLoading), load(never.tree(), kafka, isLoading));
                chaos.rage(LENGTH);
                isLoading.set(false);
                assertThat(loading)
                        .as("every request of the available tree has an outcome")
                        .succeedsWithin(Duration.ofMinutes(15));
                log.info(
                        "the slowest rename of the available tree took {}; Elasticsearch did not run for {}",
                        loading.join(),
                        chaos.outages());
                assertThat(loading.join()).isLessThan(LONGEST_RENAME.plus(chaos.outages()));
                often.close();
                never.close();
                assertThat(others)
                        .as("every request of the other trees has an outcome")
                        .allSatisfy(ended -> assertThat(ended).succeedsWithin(Duration.ofMinutes(15)));
                viewers.end();
                log.info("{} views were complete, {} were given up", viewers.answered(), viewers.givenUp());
                assertThat(viewers.answered()).as("number of complete views").isPositive();
                changeCheck.assertGood(chaos.hit());
                Ended audit = Console.run(
                        Console.RENAME_ADMIN, List.of("audit", "--elasticsearch-url=" + elasticsearch.url()));
                assertThat(audit.out()).contains("no leak");
                assertThat(audit.code()).isZero();
            }
        }
    }

    /** Sends loads to a tree as long as the flag is true. Returns the time that the slowest rename took. */
    private static CompletableFuture<Duration> load(Tree tree, KafkaServer kafka, AtomicBoolean isLoading) {
        // do not use the common pool: with two processors, its only thread also completes the futures of ended
        // processes
        return CompletableFuture.supplyAsync(
                () -> {
                    Duration slowest = Duration.ZERO;
                    for (long seed = SEED; isLoading.get(); seed++) {
                        Load load = Load.begin(tree, kafka.bootstrapServers(), seed);
                        load.awaitEnded(1);
                        slowest = slowest.compareTo(load.slowest()) > 0 ? slowest : load.slowest();
                    }
                    return slowest;
                },
                work -> Thread.ofPlatform().name("loading").start(work));
    }
}
