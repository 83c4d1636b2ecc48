package org.treerename.janitor.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.installation.Installation;
import picocli.CommandLine;

final class MainTest {

    /** An address at which no server listens. */
    private static final String NO_SERVER = "--elasticsearch-url=http://127.0.0.1:1";

    private record Ended(int code, String out, String err) {}

    private static Ended run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    @Test
    void refuses_a_call_without_a_command() {
        assertThat(run())
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-admin: expected a command, found none; the commands are init, doctor, audit, check,"
                                + " processes, renames,"
                                + " locks, fence, pause, unpause, retry-parked, abandon, dlt, namespaces, topics,"
                                + " generate-completion (see rename-admin --help)\n"));
    }

    @Test
    void every_command_that_prints_a_result_has_the_option_output() {
        assertOutput("", Main.commandLine());
    }

    private static void assertOutput(String name, CommandLine command) {
        boolean hasResult = command.getCommandSpec().userObject() instanceof Callable<?>;
        assertThat(command.getCommandSpec().findOption("--output") != null)
                .as("%s has --output", name)
                .isEqualTo(hasResult);
        command.getSubcommands().forEach((sub, line) -> assertOutput(name + " " + sub, line));
    }

    @Test
    void prints_the_version_and_a_completion_script() {
        assertThat(run("--version").out()).matches("rename-admin [0-9]+[.][0-9]+.*\n");
        assertThat(run("dlt", "list", "--version").out()).matches("rename-admin [0-9]+[.][0-9]+.*\n");
        assertThat(run("generate-completion").out()).contains("retry-parked", "--process-retention");
    }

    @Test
    void bash_accepts_the_completion_script(@TempDir Path folder) throws IOException, InterruptedException {
        Path script = Files.writeString(
                folder.resolve("completion"), run("generate-completion").out());

        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        ". " + script + " && complete -p rename-admin && COMP_WORDS=(rename-admin retry) "
                                + "COMP_CWORD=1 && _complete_rename-admin && echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor()).as(output).isZero();
        assertThat(output).contains("rename-admin\n").endsWith("retry-parked\n");
    }

    @Test
    void topics_as_json_is_the_list_of_their_names_and_of_the_new_ones() {
        String names = "[\"rename.requests\",\"rename.outcomes\",\"rename.progress\",\"rename.requests-dlt\"]";
        InMemoryTopics kafka = new InMemoryTopics(3);

        Ended first = runWith(kafka, "topics", "--kafka-bootstrap-servers=kafka:9092", "-o", "json");
        Ended second = runWith(kafka, "topics", "--kafka-bootstrap-servers=kafka:9092", "-o", "json");

        assertThat(first).isEqualTo(new Ended(0, "{\"topics\":" + names + ",\"created\":" + names + "}\n", ""));
        assertThat(second).isEqualTo(new Ended(0, "{\"topics\":" + names + ",\"created\":[]}\n", ""));
    }

    @Test
    void refuses_unknown_missing_and_invalid_options() {
        assertThat(run("audit", NO_SERVER, "--nope").code()).isEqualTo(2);
        assertThat(run("audit").err()).contains("--elasticsearch-url");
        assertThat(run("retry-parked", NO_SERVER, "--kafka-bootstrap-servers=127.0.0.1:1")
                        .err())
                .contains("REQUEST_ID");
        assertThat(run("retry-parked", NO_SERVER, "--kafka-bootstrap-servers=127.0.0.1:1", "--lease=1ms", "r1"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-admin: a lease must be at least 500ms long, found 1ms"
                                + " (see rename-admin retry-parked --help)\n"));
    }

    @Test
    void escapes_control_characters_of_an_argument_in_the_error() {
        assertThat(run("audit", NO_SERVER, "--no\u001b[2Jpe").err())
                .contains("--no\\u001b[2Jpe")
                .doesNotContain("\u001b");
    }

    @Test
    void refuses_missing_and_contradictory_arguments() {
        assertThat(run("fence", NO_SERVER).err()).contains("PROCESS_ID");
        assertThat(run("renames", NO_SERVER, "--limit=0").code()).isEqualTo(2);
        assertThat(run("renames", NO_SERVER, "--running", "--parked").code()).isEqualTo(2);
        assertThat(run("locks", NO_SERVER, "/a").err()).contains("--namespace");
        assertThat(run("locks", NO_SERVER, "--limit=0").code()).isEqualTo(2);
        assertThat(run("check", NO_SERVER).err()).contains("NAMESPACE");
        assertThat(run("init", NO_SERVER).err()).contains("INDEX");
        assertThat(run("init", NO_SERVER, "Upper").code()).isEqualTo(2);
        assertThat(run("doctor", NO_SERVER).err()).contains("--kafka-bootstrap-servers");
        assertThat(run("processes", NO_SERVER, "--watch=soon").code()).isEqualTo(2);
    }

    @Test
    void ends_with_code_3_if_elasticsearch_does_not_answer() {
        Ended audit = run("audit", NO_SERVER);
        assertThat(audit.code()).isEqualTo(3);
        assertThat(audit.err()).startsWith("rename-admin: ").contains("got no answer");
        assertThat(audit.out()).isEmpty();

        assertThat(run("retry-parked", NO_SERVER, "--kafka-bootstrap-servers=127.0.0.1:1", "r1")
                        .code())
                .isEqualTo(3);
        assertThat(run("init", NO_SERVER, "files").code()).isEqualTo(3);
    }

    @Test
    void reports_topics_that_it_cannot_create() {
        String noKafka = "--kafka-bootstrap-servers=127.0.0.1:1";

        assertThat(run("topics").err()).contains("--kafka-bootstrap-servers");
        assertThat(run("topics", noKafka, "--partitions=0"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename-admin: --partitions and --replicas must be at least 1, were 0 and 1"
                                + " (see rename-admin topics --help)\n"));
        Ended unanswered = run("topics", noKafka, "--request-timeout=200ms");
        assertThat(unanswered.code()).isEqualTo(3);
        assertThat(unanswered.err())
                .startsWith("rename-admin: Kafka did not confirm the creation of the topic rename.")
                .contains(", which may exist now: ");
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

        assertThat(created).isEqualTo(new Ended(0, """
                        created rename.requests
                        created rename.outcomes
                        created rename.progress
                        created rename.requests-dlt
                        """, ""));
        assertThat(runWith(topics, "topics", "--kafka-bootstrap-servers=kafka:9092")
                        .out())
                .contains("exists already: rename.requests\n")
                .doesNotContain("created");
        assertThat(topics.created(Installation.DEFAULT.requests()).numPartitions())
                .isEqualTo(4);
        assertThat(topics.created(Installation.DEFAULT.requests()).replicationFactor())
                .isEqualTo((short) 3);
        assertThat(topics.created(Installation.DEFAULT.deadLetters()).replicationFactor())
                .isEqualTo((short) 3);
    }

    @Test
    void ends_with_code_3_if_kafka_has_fewer_brokers_than_replicas() {
        Ended refused =
                runWith(new InMemoryTopics(1), "topics", "--kafka-bootstrap-servers=kafka:9092", "--replicas=3");

        assertThat(refused.code()).isEqualTo(3);
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
                        "rename-admin: --partitions and --replicas must be at least 1, were 8 and 0"
                                + " (see rename-admin topics --help)\n"));
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
                            "rename-admin: --ordering-depth must be 0 to 10, was " + depth
                                    + " (see rename-admin dlt replay --help)\n"));
        }
    }

    @Test
    void refuses_an_invalid_duration() {
        Ended since = run("renames", NO_SERVER, "--since=yesterday");
        Ended retention = run("audit", NO_SERVER, "--process-retention=-1d");

        assertThat(since.code()).isEqualTo(2);
        assertThat(since.err())
                .contains(
                        "'--since'",
                        "a duration must be a number and a unit (ms, s, m, h or d), for example 30s, found"
                                + " \"yesterday\"");
        assertThat(retention.code()).isEqualTo(2);
        assertThat(retention.err()).contains("'--process-retention'", "found \"-1d\"");
    }

    /** A write to a missing control index would make Elasticsearch create the index without the required mapping. */
    @Test
    void pause_writes_nothing_if_there_is_no_control_index() throws IOException {
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
                            "there is no control index tree-rename-control: no worker of this installation has"
                                    + " run, so no worker is paused\n",
                            ""));
            assertThat(asked).containsExactly("GET /tree-rename-control");
        } finally {
            empty.stop(0);
        }
    }

    @Test
    void prints_help_to_standard_output_and_ends_with_code_0() {
        Ended help = run("audit", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Exit codes:", "no leak", "wrong use", "--output=FORMAT", "--config=FILE");
    }
}
