package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.treerename.checker.Checker;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.RealRun;
import org.treerename.checker.SeenView;
import org.treerename.checker.TreeDump;
import org.treerename.namespace.Namespace;
import org.treerename.testservers.TestServers;

/**
 * Uses the {@link Checker} to check all changes that are made to one tree after the creation of this object. The check
 * assumes that all processes and brokers use one clock.
 */
final class ChangeCheck {

    private final RealRun run;

    private ChangeCheck(RealRun run) {
        this.run = run;
    }

    /**
     * Begins a check on the shared Elasticsearch. The topics must exist, and no rename may be in progress in the tree.
     */
    static ChangeCheck of(Tree tree) {
        return of(Elasticsearch.SHARED, tree);
    }

    /** Begins a check on this Elasticsearch. Reads from the node of {@link Elasticsearch#url}. */
    static ChangeCheck of(Elasticsearch elasticsearch, Tree tree) {
        return of(elasticsearch, TestServers.kafkaBootstrapServers(), tree);
    }

    static ChangeCheck of(Elasticsearch elasticsearch, String kafkaBootstrapServers, Tree tree) {
        return of(elasticsearch, kafkaBootstrapServers, tree.namespace());
    }

    /** Begins a check of any namespace on the shared Elasticsearch. */
    static ChangeCheck of(Namespace namespace) {
        return of(Elasticsearch.SHARED, TestServers.kafkaBootstrapServers(), namespace);
    }

    private static ChangeCheck of(Elasticsearch elasticsearch, String kafkaBootstrapServers, Namespace namespace) {
        ElasticsearchHttp http = new ElasticsearchHttp(elasticsearch.url());
        return new ChangeCheck(RealRun.begin(http, kafkaBootstrapServers, namespace));
    }

    /** Adds a view that a reader opened during the check. */
    void saw(SeenView view) {
        run.saw(view);
    }

    TreeDump before() {
        return run.before();
    }

    /**
     * Blocks until the {@link Checker} finds no violation in the run. Throws an error after a timeout.
     *
     * @param killed the number of processes that were killed or frozen in the run
     */
    void assertGood(int killed) {
        Awaitility.await("a run without a violation")
                .pollInterval(Duration.ofSeconds(1))
                .pollDelay(Duration.ZERO)
                .atMost(Log.PATIENCE)
                .untilAsserted(
                        () -> assertThat(Checker.check(run.read(killed, true))).isEmpty());
    }
}
