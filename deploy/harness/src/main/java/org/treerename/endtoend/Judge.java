package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.treerename.checker.Checker;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.RealRun;
import org.treerename.checker.SeenView;
import org.treerename.checker.TreeDump;
import org.treerename.path.Namespace;
import org.treerename.testservers.TestServers;

/** What is done to one tree from now on, judged by the checker. All processes of a test read one clock. */
final class Judge {

    private final RealRun run;

    private Judge(RealRun run) {
        this.run = run;
    }

    /** Begins; the topics exist, and nothing is at work in the tree. */
    static Judge of(Tree tree) {
        return of(Elasticsearch.SHARED, tree);
    }

    /** The same, of the node that is asked now. */
    static Judge of(Elasticsearch elasticsearch, Tree tree) {
        return of(elasticsearch, TestServers.kafkaBootstrapServers(), tree);
    }

    static Judge of(Elasticsearch elasticsearch, String kafkaBootstrapServers, Tree tree) {
        return of(elasticsearch, kafkaBootstrapServers, tree.namespace());
    }

    /** Of any tree. */
    static Judge of(Namespace namespace) {
        return of(Elasticsearch.SHARED, TestServers.kafkaBootstrapServers(), namespace);
    }

    private static Judge of(Elasticsearch elasticsearch, String kafkaBootstrapServers, Namespace namespace) {
        ElasticsearchHttp http = new ElasticsearchHttp(elasticsearch.url());
        return new Judge(RealRun.begin(http, kafkaBootstrapServers, namespace));
    }

    /** Adds a view that a reader saw. */
    void saw(SeenView view) {
        run.saw(view);
    }

    TreeDump before() {
        return run.before();
    }

    /**
     * Comes to rest without a violation.
     *
     * @param killed how many processes were killed meanwhile, or have frozen
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
