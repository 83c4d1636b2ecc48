package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.elastic.Elastic;
import org.treerename.kafka.RequestCodec;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.path.Notation;
import org.treerename.producer.InMemoryKafka;
import org.treerename.producer.OutcomeTexts;
import org.treerename.producer.PeerWorker;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.forecast.Forecast;
import org.treerename.producer.forecast.Pace;
import org.treerename.request.DecisionTime;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;
import org.treerename.store.NoAnswerException;

class MainTest {

    private static final Map<String, String> SERVERS = Map.of("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092");
    private static final String HINT = " (see rename mv --help)";

    private final InMemoryKafka kafka = new InMemoryKafka(0);
    private Function<ProducerSettings, RenameProducer> connector = settings -> kafka.producer();

    private BiFunction<Elastic.Settings, RenameRequest, Forecast> dryRun = (settings, request) -> {
        throw new AssertionError("unexpected dry run");
    };

    private Function<Elastic.Settings, JournalRequests> requests = settings -> {
        throw new AssertionError("unexpected read of the journal");
    };

    private record Ended(int code, String out, String err) {}

    @Test
    void prints_one_line_for_a_completed_rename_and_exits_with_0() {
        kafka.attach(id -> {
            kafka.time().advance(Duration.ofMillis(2_340));
            return OutcomeTexts.json(OutcomeTexts.completed(id, 12_345));
        });

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1");

        assertThat(ended).isEqualTo(new Ended(0, "renamed /a to /b: 12345 documents moved (request r-1, 2.3 s)\n", ""));
    }

    @Test
    void passes_the_ordering_depth_to_the_producer() {
        List<Integer> depths = new ArrayList<>();
        connector = settings -> {
            depths.add(settings.orderingDepth());
            return kafka.producer();
        };
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 1)));

        run("mv", "/a", "/b");
        run("mv", "/a", "/b", "--ordering-depth=3");

        assertThat(depths).containsExactly(1, 3);
    }

    @Test
    void refuses_an_ordering_depth_above_10() {
        assertThat(run("mv", "/a", "/b", "--ordering-depth=11"))
                .isEqualTo(new Ended(2, "", "rename: orderingDepth must be 0 to 10, found 11" + HINT + "\n"));
    }

    @Test
    void prints_one_line_for_a_rejected_rename_and_exits_with_1() {
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.rejected(id, Reason.DESTINATION_EXISTS, "/b exists")));

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1");

        assertThat(ended).isEqualTo(new Ended(1, "rejected: destination_exists: /b exists (request r-1)\n", ""));
    }

    @Test
    void prints_one_line_for_a_failed_rename_and_exits_with_1() {
        kafka.attach(id ->
                OutcomeTexts.json(OutcomeTexts.outcome(id, Status.FAILED, Reason.LOCKED, "others held its locks", 0)));

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1");

        assertThat(ended).isEqualTo(new Ended(1, "failed: locked: others held its locks (request r-1)\n", ""));
    }

    @Test
    void json_prints_only_the_outcome_as_it_was_published() {
        String published = "{ \"later\":\"é\","
                + OutcomeTexts.json(OutcomeTexts.completed("r-1", 1)).substring(1);
        kafka.attach(id -> published);

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "-o", "json");

        assertThat(ended).isEqualTo(new Ended(0, published + "\n", ""));
    }

    @Test
    void escapes_control_characters_of_an_argument_in_an_error() {
        assertThat(run("mv", "/a", "/b", "--no\u001b[2Jpe").err())
                .contains("--no\\u001b[2Jpe")
                .doesNotContain("\u001b");
    }

    @Test
    void exits_with_3_without_an_outcome_in_time_and_explains_how_to_wait_again() {
        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "--timeout", "10ms");

        assertThat(ended)
                .isEqualTo(new Ended(
                        3,
                        "",
                        "no outcome within 10ms; request r-1 may still be processed; send the same request with"
                                + " --request-id 'r-1' to wait again; the request is processed only once; to see"
                                + " whether it waits, moves or is parked, run rename status 'r-1'; to list the live"
                                + " workers, run rename-admin processes\n"));
    }

    @Test
    void exits_with_3_as_soon_as_the_rename_is_parked_and_says_what_to_do() {
        kafka.addProgressTopic();
        kafka.attach(id -> {
            kafka.report(new RenameProgress(id, 1, 5, 1, "worker-1", false, null, "the index is read-only"));
            return null;
        });

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "--timeout", "20s");

        assertThat(ended)
                .isEqualTo(new Ended(
                        3,
                        "",
                        "request r-1 is parked: the index is read-only; it keeps its locks, and a janitor tries again;"
                                + " correct the cause and run rename-admin retry-parked r-1, or end the rename with"
                                + " rename-admin abandon r-1\n"));
    }

    private static final Instant REQUESTED = Instant.parse("2026-08-01T10:00:00Z");

    /** Attaches a worker that reports the commit of each rename and publishes no outcome. */
    private void reportCommits() {
        kafka.addProgressTopic();
        kafka.attach(id -> {
            kafka.report(new RenameProgress(
                    id, 0, 5_000, 0, "worker-1", false, new DecisionTime(REQUESTED, REQUESTED.plusMillis(45)), null));
            return null;
        });
    }

    @Test
    void prints_one_line_for_a_decided_rename_and_exits_with_0() {
        reportCommits();

        Ended ended = run("mv", "/a\u001b", "/b", "--request-id", "r-1", "--until", "decided");

        assertThat(ended)
                .isEqualTo(new Ended(
                        0, "decided to rename /a\\u001b to /b; the documents move now (request r-1, 0.045 s)\n", ""));
    }

    @Test
    void json_of_a_decision_has_its_times_and_its_duration() {
        reportCommits();

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "--until=decided", "-o", "json");

        assertThat(ended)
                .isEqualTo(new Ended(
                        0,
                        "{\"request_id\":\"r-1\",\"status\":\"decided\",\"requested_at\":\"2026-08-01T10:00:00Z\","
                                + "\"committed_at\":\"2026-08-01T10:00:00.045Z\",\"decided_after_ms\":45}\n",
                        ""));
    }

    @Test
    void an_outcome_without_a_report_counts_as_the_decision() {
        kafka.attach(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 3)));

        assertThat(run("mv", "/a", "/b", "--request-id", "r-1", "--until", "decided"))
                .isEqualTo(new Ended(
                        0, "decided to rename /a to /b; the documents move now (request r-1, 0.100 s)\n", ""));
    }

    @Test
    void a_rejection_ends_the_wait_for_the_decision_with_exit_code_1() {
        String outcome = OutcomeTexts.json(OutcomeTexts.rejected("r-1", Reason.DESTINATION_EXISTS, "/b exists"));
        kafka.attach(id -> outcome);

        assertThat(run("mv", "/a", "/b", "--request-id", "r-1", "--until", "decided"))
                .isEqualTo(new Ended(1, "rejected: destination_exists: /b exists (request r-1)\n", ""));
    }

    @Test
    void a_rejection_that_ends_the_wait_for_the_decision_is_printed_as_it_was_published() {
        String outcome = OutcomeTexts.json(OutcomeTexts.rejected("r-1", Reason.DESTINATION_EXISTS, "/b exists"));
        kafka.attach(id -> outcome);

        assertThat(run("mv", "/a", "/b", "--request-id", "r-1", "--until", "decided", "-o", "json"))
                .isEqualTo(new Ended(1, outcome + "\n", ""));
    }

    @Test
    void exits_with_3_without_a_decision_in_time() {
        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "--until", "decided", "--timeout", "10ms");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).startsWith("no decision within 10ms; request r-1 may still be processed");
    }

    @Test
    void no_wait_prints_only_the_id() {
        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "--no-wait");

        assertThat(ended).isEqualTo(new Ended(0, "r-1\n", ""));
    }

    @Test
    void no_wait_as_json_is_an_object_with_the_id() {
        assertThat(run("mv", "/a", "/b", "--request-id", "r-1", "--no-wait", "-o", "json"))
                .isEqualTo(new Ended(0, "{\"request_id\":\"r-1\"}\n", ""));
    }

    @Test
    void every_command_that_prints_a_result_has_the_option_output() {
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            boolean hasResult = !name.equals("generate-completion");
            assertThat(command.getCommandSpec().findOption("--output") != null)
                    .as("%s has --output", name)
                    .isEqualTo(hasResult);
        });
    }

    @Test
    void an_option_of_the_command_line_takes_precedence_over_a_configured_gateway() {
        Map<String, String> environment = Map.of(
                "TREE_RENAME_SERVER",
                "http://gateway:1",
                "KAFKA_BOOTSTRAP_SERVERS",
                "localhost:9092",
                "ELASTICSEARCH_URL",
                "http://localhost:9200");
        requests = settings -> {
            throw new NoAnswerException("the journal was asked", null);
        };

        assertThat(run(environment, "status", "r-1", "--elasticsearch-url=http://localhost:1")
                        .err())
                .isEqualTo("the journal was asked\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--server=gateway               | expected --server to be a URL such as https://renames.example.com, found gateway",
                "--server=ftp://gateway         | expected --server to be a URL such as",
                "--server=https://u:p@gateway   | such as https://renames.example.com, found a URL with a user or a query",
                "--server=http://gateway --elasticsearch-url=http://x | expected either --server or --elasticsearch-url, found both",
                "--server=http://gateway --token=a --token-file=b | expected either --token or --token-file, found both",
                "--server=http://gateway --token-file=/no/such | cannot read the file of --token-file",
                "--server=https://gateway --ca-file=/no/such | cannot read /no/such",
                "--server=http://gateway --token=a | the network could read the token, found http://gateway; if only",
                "--server=HTTP://10.1.2.3:80/x --token=a | could read the token, found HTTP://10.1.2.3; if only",
                "--server=http://localhost.example.com --token=a | give --allow-plain-token",
                "--server=http://127.0.0.1.example.com --token=a | give --allow-plain-token",
            })
    void refuses_wrong_options_of_a_gateway(String options, String sentence) {
        Ended ended = run(Map.of(), ("status r-1 " + options.strip()).split(" +"));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--server=http://127.0.0.1:1 --token=a",
                "--server=http://localhost:1 --token=a",
                "--server=http://[::1]:1 --token=a",
                "--server=http://127.0.0.1:1",
                "--server=http://nowhere.invalid --token=a --allow-plain-token"
            })
    void a_token_may_reach_this_machine_or_an_allowed_one_without_tls(String options) {
        Ended ended = run(Map.of(), ("status r-1 " + options).split(" "));

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).contains("gateway");
    }

    @Test
    void creates_an_id_if_none_is_given() {
        Ended ended = run("mv", "/a", "/b", "--no-wait");

        assertThat(ended.out())
                .isEqualTo(PeerWorker.id(kafka.sent().get(0).headers()) + "\n")
                .hasSize(37);
    }

    @Test
    void exits_with_3_without_an_acknowledgement_in_time() {
        kafka.holdBackAcknowledgements();

        Ended ended = run("mv", "/a", "/b", "--request-id", "r-1", "--no-wait", "--timeout", "10ms");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).startsWith("no acknowledgement from Kafka within 10ms; request r-1 may still");
    }

    @Test
    void every_option_reaches_the_request() {
        Ended ended = run(
                "mv",
                "/a",
                "/b",
                "--request-id",
                "r-1",
                "--replace",
                "--namespace",
                "terms",
                "--requested-by",
                "me",
                "--no-wait");

        assertThat(ended.code()).isZero();
        assertThat(kafka.sent().get(0).value())
                .isEqualTo(
                        RequestCodec.encode(new RenameRequest("r-1", "terms", "/a", "/b", OnExisting.REPLACE, "me")));
    }

    @Test
    void the_version_of_the_documents_is_in_the_request() {
        Ended ended = run(
                "mv",
                "/a",
                "/b",
                "--request-id",
                "r-1",
                "--document-version",
                "9000000000000000000",
                "--requested-by",
                "me",
                "--no-wait");

        assertThat(ended.code()).isZero();
        assertThat(kafka.sent().get(0).value())
                .isEqualTo(RequestCodec.encode(new RenameRequest("r-1", "files", "/a", "/b", OnExisting.FAIL, "me")
                        .withVersion(9_000_000_000_000_000_000L)));
        assertThat(run("mv", "/a", "/b", "--document-version", "0"))
                .isEqualTo(new Ended(2, "", "rename: --document-version must be at least 1, was 0" + HINT + "\n"));
    }

    @Test
    void the_defaults_are_the_namespace_files_and_the_user() {
        Ended ended = run("mv", "@a", "/b", "--request-id", "r-1", "--no-wait");

        assertThat(ended.code()).isZero();
        assertThat(kafka.sent().get(0).value())
                .isEqualTo(RequestCodec.encode(new RenameRequest(
                        "r-1", "files", "@a", "/b", OnExisting.FAIL, System.getProperty("user.name"))));
    }

    @Test
    void the_request_names_the_ids_of_the_option_after() {
        Ended ended =
                run("mv", "/a", "/b", "--request-id", "r-1", "--no-wait", "--after", "r-0", "--after=nightly \"x\"");

        assertThat(ended.code()).isZero();
        assertThat(kafka.sent().get(0).value())
                .isEqualTo(RequestCodec.encode(
                        new RenameRequest("r-1", "files", "/a", "/b", OnExisting.FAIL, System.getProperty("user.name")),
                        List.of("r-0", "nightly \"x\"")));
        assertThat(run("mv", "/a", "/b", "--after", ""))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename: --after: a request_id must have 1 to 200 bytes of UTF-8, found 0" + HINT + "\n"));
    }

    @Test
    void missing_servers_are_wrong_use() {
        Ended ended = run(Map.of(), "mv", "/a", "/b");

        assertThat(ended)
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename: expected the addresses of the Kafka brokers, found none; set"
                                + " --kafka-bootstrap-servers, KAFKA_BOOTSTRAP_SERVERS in the environment, or"
                                + " kafka-bootstrap-servers in the configuration file" + HINT + "\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mv /a                              | expected SOURCE DESTINATION, found no DESTINATION",
                "mv /a /b /c                        | expected SOURCE DESTINATION, found one more argument: /c",
                "mv /a /b --relpace                 | unknown option --relpace; did you mean --replace?",
                "mv /a /b --until moved             | must be decided or completed, was 'moved'",
                "mv /a /b --until decided --no-wait | --no-wait does not wait for a decision",
                "mv /a /b --timeout 5               | a duration must be a number and a unit (ms, s, m, h or d)",
                "mv /a /b --kafka-bootstrap-servers nowhere | bootstrap servers must be host:port",
                "mv /a /b --kafka-config /no/such | cannot read the properties of the Kafka clients",
                "mv /a \uFFFD\uFFFD                 | could not be decoded; use a UTF-8 locale",
                "batch                              | expected FILE, found no FILE",
                "batch x --in-flight 1001           | --in-flight must be 1 to 1000, was 1001",
                "batch /no/such                     | there is no file /no/such",
                "move /a /b                         | unknown command move; did you mean mv?"
            })
    void reports_wrong_use_in_one_line_and_exits_with_2(String arguments, String sentence) {
        Ended ended = run(arguments.strip().split(" +"));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains(sentence).endsWith(" --help)\n");
        assertThat(ended.err().lines()).hasSize(1);
    }

    @Test
    void refuses_an_invalid_request_id() {
        Ended ended = run("mv", "/a", "/b", "--request-id", "a\u0007b");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).startsWith("rename: --request-id: a request_id must not contain a control character");
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void prints_a_completion_script_for_shells() {
        Ended ended = run(Map.of(), "generate-completion");

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("complete -F _complete_rename", "--request-id", "--skip-bad");
    }

    @Test
    void suggests_the_nearest_name_for_an_unknown_variable() {
        Ended ended = run(
                Map.of("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092", "TREE_RENAME_TIMEOUTS", "5s"), "mv", "/a", "/b");

        assertThat(ended)
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename: unknown environment variable TREE_RENAME_TIMEOUTS; did you mean TREE_RENAME_TIMEOUT?"
                                + " (see rename --help)\n"));
    }

    @Test
    void reports_an_unknown_variable_that_resembles_no_known_name() {
        Ended ended = run(Map.of("TREE_RENAME_FOO", "1"), "mv", "/a", "/b");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).startsWith("rename: unknown environment variable TREE_RENAME_FOO");
    }

    @Test
    void a_variable_of_an_option_of_one_call_is_wrong_use() {
        Map<String, String> environment =
                Map.of("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092", "TREE_RENAME_NO_WAIT", "true");

        Ended ended = run(environment, "mv", "/a", "/b", "--no-wait");

        assertThat(ended)
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename: expected no variable TREE_RENAME_NO_WAIT in the environment; give the option --no-wait"
                                + " on the command line instead (see rename --help)\n"));
        assertThat(kafka.sent()).isEmpty();
    }

    @Test
    void the_environment_takes_precedence_over_the_configuration_file(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("config.yaml"), "kafka-bootstrap-servers: 'file:1'\ntimeout: bad\nlock-wait: 1m\n");
        Map<String, String> environment = Map.of("TREE_RENAME_CONFIG", file.toString(), "TREE_RENAME_TIMEOUT", "1m");

        Ended ended = run(environment, "mv", "/a", "/b", "--no-wait", "--request-id", "r-1", "--requested-by", "me");

        assertThat(ended).isEqualTo(new Ended(0, "r-1\n", ""));
        assertThat(kafka.sent().get(0).value())
                .isEqualTo(RequestCodec.encode(new RenameRequest("r-1", "files", "/a", "/b", OnExisting.FAIL, "me")));
    }

    private static final Map<String, String> ELASTICSEARCH = Map.of("ELASTICSEARCH_URL", "http://localhost:9200");

    @Test
    void a_dry_run_needs_no_kafka_and_sends_nothing() {
        connector = settings -> {
            throw new AssertionError("a dry run must not connect to Kafka");
        };
        dryRun = (settings, request) -> {
            assertThat(settings.urls()).containsExactly(URI.create("http://localhost:9200"));
            assertThat(request.onExisting()).isEqualTo(OnExisting.REPLACE);
            return new Forecast(
                    new TreeMap<>(Map.of("files-2", 30L, "files-1", 1_470L)),
                    List.of(),
                    List.of(),
                    new Pace(600, Pace.Basis.MEASURED, 2));
        };

        assertThat(run(ELASTICSEARCH, "mv", "/a", "/b", "--dry-run", "--replace"))
                .isEqualTo(new Ended(
                        0,
                        "would rename /a to /b: 1500 documents (1470 in files-1, 30 in files-2)\n"
                                + "the rename could begin now, and would take about 2.5 s at 600 documents per second"
                                + " (measured on 2 renames)\n",
                        ""));
        assertThat(run(ELASTICSEARCH, "mv", "/a", "/b", "--dry-run", "--replace", "-o", "json"))
                .isEqualTo(new Ended(
                        0,
                        "{\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\",\"could_begin\":true,"
                                + "\"documents\":1500,\"indices\":{\"files-1\":1470,\"files-2\":30},\"obstacles\":[],"
                                + "\"waits\":[],\"documents_per_second\":600,\"pace\":\"measured\","
                                + "\"measured_renames\":2,\"seconds\":2.5}\n",
                        ""));
    }

    @Test
    void a_dry_run_reports_obstacles_and_waits_and_exits_with_1() {
        dryRun = (settings, request) -> new Forecast(
                new TreeMap<>(Map.of("files-1", 1L)),
                List.of(new Forecast.Obstacle(Status.REJECTED, Reason.DESTINATION_EXISTS, "/b exists")),
                List.of(new Forecast.Wait(
                        new Blocker(Notation.SLASHES.path("/a"), "r-0", Optional.empty(), LockMode.EXCLUSIVE, false),
                        "worker-1",
                        "live",
                        Instant.parse("2026-03-01T10:00:00Z"))),
                new Pace(2_000, Pace.Basis.ASSUMED, 0));

        assertThat(run(ELASTICSEARCH, "mv", "/a", "/b", "--dry-run")).isEqualTo(new Ended(1, """
                        would rename /a to /b: 1 document (1 in files-1)
                        would be rejected: destination_exists: /b exists
                        would wait: /a is claimed exclusively by the older request r-0 (worker-1 is live; requested at 2026-03-01T10:00:00Z)
                        the tree may change while the rename waits
                        """, ""));
        assertThat(run(ELASTICSEARCH, "mv", "/a", "/b", "--dry-run", "-o", "json")
                        .out())
                .contains("\"obstacles\":[{\"status\":\"rejected\",\"reason\":\"destination_exists\","
                        + "\"message\":\"/b exists\"}]")
                .contains("\"waits\":[{\"path\":\"/a\",\"by\":\"claim\",\"mode\":\"exclusive\",\"request_id\":\"r-0\","
                        + "\"process_id\":\"worker-1\",\"process_state\":\"live\",\"asked_at\":\"2026-03-01T10:00:00Z\","
                        + "\"message\":\"/a is claimed exclusively by the older request r-0\"}]");
    }

    @Test
    void a_dry_run_exits_with_3_without_an_answer_and_with_2_without_an_address() {
        dryRun = (settings, request) -> {
            throw new NoAnswerException("no node answers", null);
        };

        assertThat(run(ELASTICSEARCH, "mv", "/a", "/b", "--dry-run")).isEqualTo(new Ended(3, "", "no node answers\n"));
        assertThat(run(Map.of(), "mv", "/a", "/b", "--dry-run"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "rename: expected the addresses of Elasticsearch, found none; set --elasticsearch-url,"
                                + " ELASTICSEARCH_URL in the environment, or elasticsearch-url in the configuration"
                                + " file" + HINT + "\n"));
    }

    @Test
    void exits_with_70_after_a_defect() {
        connector = settings -> {
            throw new TimeoutException("a defect, because the library promises another exception");
        };
        assertThat(run("mv", "/a", "/b").code()).isEqualTo(70);
    }

    @Test
    void help_has_examples_and_exits_with_0() {
        Ended ended = run("mv", "--help");

        assertThat(ended.code()).isZero();
        assertThat(ended.out())
                .contains("Usage: rename mv")
                .contains("Examples:")
                .contains("Exit codes:");
        assertThat(run("--help").out()).contains("Example: rename mv");
    }

    @Test
    void prints_the_version_of_the_build() {
        assertThat(run("--version").out()).matches("rename \\d+\\.\\d+.*\\n");
        assertThat(run("-V").out()).matches("rename \\d+\\.\\d+.*\\n");
    }

    private Ended run(String... arguments) {
        return run(SERVERS, arguments);
    }

    private Ended run(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new Main(
                        new Connectors(connector, dryRun, requests),
                        environment,
                        new PrintWriter(out, true),
                        new PrintWriter(err, true))
                .run(kafka.time(), arguments);
        return new Ended(code, out.toString(), err.toString());
    }
}
