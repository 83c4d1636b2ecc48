package org.treerename.janitor.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.treerename.wire.InMemoryTopics;
import org.treerename.wire.Topics;

final class MainTest {

    /** Nothing listens there. */
    private static final String NOBODY = "--elasticsearch-url=http://127.0.0.1:1";

    private record Ended(int code, String out, String err) {}

    private static Ended run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    @Test
    void withoutACommandItIsWrongUse() {
        assertThat(run())
                .isEqualTo(new Ended(
                        2, "", "rename-admin: Missing required subcommand (rename-admin --help tells more)\n"));
    }

    @Test
    void anOptionThatIsNotThereIsWrongUse() {
        assertThat(run("audit", NOBODY, "--nope").code()).isEqualTo(2);
        assertThat(run("audit").err()).contains("--elasticsearch-url");
        assertThat(run("resume", NOBODY, "--kafka-bootstrap-servers=127.0.0.1:1")
                        .err())
                .contains("REQUEST_ID");
        assertThat(run("resume", NOBODY, "--kafka-bootstrap-servers=127.0.0.1:1", "--lease=1ms", "r1"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-admin: a lease is at least PT0.5S long, found PT0.001S"
                                + " (rename-admin --help tells more)\n"));
    }

    @Test
    void whatIsSaidOfAnArgumentDoesNotReachTheTerminalAsItIs() {
        assertThat(run("audit", NOBODY, "--no\u001b[2Jpe").err())
                .contains("--no\\u001b[2Jpe")
                .doesNotContain("\u001b");
    }

    @Test
    void whatCannotBeAskedIsWrongUse() {
        assertThat(run("fence", NOBODY).err()).contains("PROCESS_ID");
        assertThat(run("renames", NOBODY, "--limit=0").code()).isEqualTo(2);
        assertThat(run("renames", NOBODY, "--running", "--parked").code()).isEqualTo(2);
        assertThat(run("locks", NOBODY, "/a").err()).contains("--namespace");
        assertThat(run("locks", NOBODY, "--limit=0").code()).isEqualTo(2);
        assertThat(run("check", NOBODY).err()).contains("NAMESPACE");
        assertThat(run("processes", NOBODY, "--watch=soon").code()).isEqualTo(2);
    }

    @Test
    void anElasticsearchThatDoesNotAnswerIsToldByTheExitCode() {
        Ended audit = run("audit", NOBODY);
        assertThat(audit.code()).isEqualTo(3);
        assertThat(audit.err()).startsWith("rename-admin: ").contains("got no answer");
        assertThat(audit.out()).isEmpty();

        assertThat(run("resume", NOBODY, "--kafka-bootstrap-servers=127.0.0.1:1", "r1")
                        .code())
                .isEqualTo(3);
    }

    @Test
    void topicsAreCreatedOnlyWhereKafkaAnswers() {
        String nobody = "--kafka-bootstrap-servers=127.0.0.1:1";

        assertThat(run("topics").err()).contains("--kafka-bootstrap-servers");
        assertThat(run("topics", nobody, "--partitions=0"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-admin: a topic has at least one partition and one replica, found 0 and 1"
                                + " (rename-admin --help tells more)\n"));
        Ended unanswered = run("topics", nobody, "--request-timeout=200ms");
        assertThat(unanswered.code()).isEqualTo(3);
        assertThat(unanswered.err())
                .startsWith("rename-admin: the topic rename.")
                .contains("was not created");
    }

    private static Ended runWith(InMemoryTopics topics, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(
                reach -> topics.admin(), Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    @Test
    void creates_topics_with_the_partitions_and_replicas_of_its_options() {
        InMemoryTopics topics = new InMemoryTopics(3);

        Ended created =
                runWith(topics, "topics", "--kafka-bootstrap-servers=kafka:9092", "--partitions=4", "--replicas=3");

        assertThat(created).isEqualTo(new Ended(0, "the topics are there\n", ""));
        assertThat(topics.created(Topics.REQUESTS).numPartitions()).isEqualTo(4);
        assertThat(topics.created(Topics.REQUESTS).replicationFactor()).isEqualTo((short) 3);
        assertThat(topics.created(Topics.DEAD_LETTERS).replicationFactor()).isEqualTo((short) 3);
    }

    @Test
    void ends_with_code_1_where_kafka_has_fewer_brokers_than_replicas() {
        Ended refused =
                runWith(new InMemoryTopics(1), "topics", "--kafka-bootstrap-servers=kafka:9092", "--replicas=3");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .matches("rename-admin: Kafka refuses to create the topic rename[.a-z-]+:"
                        + " expected at most 1 replicas, found 3\n");
    }

    @Test
    void refuses_a_number_of_replicas_below_1() {
        Ended none = runWith(new InMemoryTopics(1), "topics", "--kafka-bootstrap-servers=kafka:9092", "--replicas=0");
        Ended word = runWith(new InMemoryTopics(1), "topics", "--kafka-bootstrap-servers=kafka:9092", "--replicas=two");

        assertThat(none)
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-admin: a topic has at least one partition and one replica, found 8 and 0"
                                + " (rename-admin --help tells more)\n"));
        assertThat(word.code()).isEqualTo(2);
        assertThat(word.err()).contains("'--replicas'", "'two' is not a short");
    }

    @Test
    void refuses_an_ordering_depth_of_a_replay_above_10() {
        for (int depth : new int[] {-1, 11}) {
            assertThat(run("dlt", "replay", "0@0", "--kafka-bootstrap-servers=kafka:9092", "--ordering-depth=" + depth))
                    .isEqualTo(new Ended(
                            2,
                            "",
                            "rename-admin: an ordering depth is 0 to 10, found " + depth
                                    + " (rename-admin --help tells more)\n"));
        }
    }

    @Test
    void refuses_what_is_no_duration() {
        Ended since = run("renames", NOBODY, "--since=yesterday");
        Ended retention = run("audit", NOBODY, "--process-retention=-1d");

        assertThat(since.code()).isEqualTo(2);
        assertThat(since.err())
                .contains(
                        "'--since'",
                        "a duration is a number and one of ms, s, m, h, d, as in 30s, found \"yesterday\"");
        assertThat(retention.code()).isEqualTo(2);
        assertThat(retention.err()).contains("'--process-retention'", "found \"-1d\"");
    }

    /** A write would make it, and without its mapping. */
    @Test
    void nothingIsPausedWhereThereIsNoControlIndex() throws IOException {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer empty = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        empty.createContext("/", exchange -> {
            asked.add(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
            exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        empty.start();
        try {
            assertThat(run(
                            "pause",
                            "--elasticsearch-url=http://127.0.0.1:"
                                    + empty.getAddress().getPort()))
                    .isEqualTo(new Ended(
                            1,
                            "there is no control index tree-rename-control: no worker has run here, and none is paused\n",
                            ""));
            assertThat(asked).containsExactly("GET /tree-rename-control");
        } finally {
            empty.stop(0);
        }
    }

    @Test
    void helpIsOnStandardOutputAndWell() {
        Ended help = run("audit", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("0 no leak, 1 leaks, 2 wrong use, 3 Elasticsearch");
    }
}
