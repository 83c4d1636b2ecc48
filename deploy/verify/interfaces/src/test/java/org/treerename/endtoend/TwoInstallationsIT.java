package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.installation.Installation;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.TreeReader;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriterSettings;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/**
 * Tests two installations on one Kafka and one Elasticsearch. Each installation has its own prefix, topics, worker and
 * janitor. Each installation defines the namespace {@code files} with a separate index.
 */
final class TwoInstallationsIT {

    private static final String NAMESPACE = "files";
    private static final String MAPPING =
            "{\"mappings\":{\"dynamic\":false,\"properties\":{\"path\":{\"type\":\"keyword\"}}}}";

    /** The number of files in a tree whose rename is slow. With {@link #SLOW}, the move takes about 22 seconds. */
    private static final int MANY = 90;

    private static final String SLOW = "--documents-per-second=4";

    private static final Site BLUE = new Site(new Installation("blue"), MANY, SLOW);
    private static final Site GREEN = new Site(new Installation("green"), 3);

    @TempDir
    private static Path folder;

    /** One installation with its tree and its services. */
    private static final class Site implements AutoCloseable {

        private final Installation installation;
        private final int files;
        private final List<String> options = new ArrayList<>();
        private final Elasticsearch elasticsearch;
        private final List<Services> services = new ArrayList<>();

        Site(Installation installation, int files, String... ofWorker) {
            this.installation = installation;
            this.files = files;
            this.options.addAll(List.of("--prefix=" + installation.prefix(), "--lease=2s"));
            this.options.addAll(List.of(ofWorker));
            this.elasticsearch = Elasticsearch.SHARED.in(installation);
        }

        String index() {
            return "files-of-" + installation.prefix();
        }

        /** Creates the topics and an empty tree, and starts a worker and a janitor. */
        void start() throws IOException {
            Console.Output created = admin("topics", kafka());
            assertThat(created.code()).isZero();
            assertThat(created.out())
                    .contains("created " + installation.requests())
                    .doesNotContain("exists already");
            Es.put("/" + index(), MAPPING);
            Path file = Files.writeString(
                    folder.resolve(installation.prefix() + ".yaml"),
                    "namespaces: [{ name: %s, index: %s, path_field: path }]".formatted(NAMESPACE, index()));
            worker("--namespaces=" + file);
            janitor();
        }

        String worker(String... more) {
            List<String> all = new ArrayList<>(options);
            all.addAll(List.of(more));
            return started("worker", "org.treerename.worker.Main", all);
        }

        String janitor() {
            return started(
                    "janitor",
                    "org.treerename.janitor.Main",
                    List.of("--prefix=" + installation.prefix(), "--lease=2s", "--sweep-every=1s"));
        }

        private String started(String service, String main, List<String> all) {
            Services started = Services.start(service, main, 1, all);
            services.add(started);
            return started.ids().iterator().next();
        }

        ChildProcess process(int number) {
            return services.get(number).processes().getFirst();
        }

        /** Writes the files of a directory into the index of this installation, and refreshes the index. */
        void index(String directory) {
            for (int i = 0; i < files; i++) {
                Es.put(
                        "/" + index() + "/_doc/" + directory.substring(1) + i,
                        "{\"path\":\"%s/%d\"}".formatted(directory, i));
            }
            Es.post("/" + index() + "/_refresh", "");
        }

        Set<String> paths() {
            return Elasticsearch.SHARED.all(index()).stream()
                    .map(hit -> hit.path("_source").path("path").asText())
                    .collect(Collectors.toSet());
        }

        long filesBelow(String directory) {
            return paths().stream()
                    .filter(path -> path.startsWith(directory + "/"))
                    .count();
        }

        String state(String requestId) {
            return elasticsearch
                    .entry(requestId)
                    .map(entry -> entry.path("state").asText())
                    .orElse("none");
        }

        Set<String> processes() {
            return elasticsearch.control("process").stream()
                    .map(process -> process.path("process_id").asText())
                    .collect(Collectors.toSet());
        }

        Console.Output admin(String command, String... more) {
            List<String> words = new ArrayList<>(List.of(command, "--prefix=" + installation.prefix()));
            words.addAll(List.of(more));
            return Console.output(Console.RENAME_ADMIN, words);
        }

        @Override
        public void close() {
            services.forEach(Services::close);
        }
    }

    private static String kafka() {
        return "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers();
    }

    private static String elasticsearch() {
        return "--elasticsearch-url=" + TestServers.elasticsearchUrl();
    }

    @BeforeAll
    static void start() throws IOException {
        BLUE.start();
        GREEN.start();
    }

    @AfterAll
    static void stop() {
        try (BLUE) {
            GREEN.close();
        }
    }

    private static void awaitState(Site site, String requestId, String state) {
        Awaitility.await(requestId + " is " + state + " in " + site.installation)
                .atMost(Log.PATIENCE)
                .until(() -> site.state(requestId).equals(state));
    }

    @Test
    void the_same_request_runs_in_both_at_once_and_neither_sees_the_other() throws Exception {
        BLUE.index("/a");
        GREEN.index("/a");
        ObjectNode request = Requests.rename(NAMESPACE, "/a", "/b");
        String id = Requests.id(request);
        try (Log blue = Log.of(BLUE.installation);
                Log green = Log.of(GREEN.installation);
                Log none = Log.open()) {

            blue.send(0, request.toString());
            awaitState(BLUE, id, "moving");
            green.send(0, request.toString());
            JsonNode ofGreen = green.outcome(id);

            // blue still holds its locks and moves documents; green has acquired and released the locks of the same
            // paths
            assertThat(BLUE.state(id)).isEqualTo("moving");
            assertThat(BLUE.elasticsearch.locks().holds())
                    .isNotEmpty()
                    .allMatch(hold -> hold.requestId().equals(id));
            assertThat(GREEN.elasticsearch.locks().holds()).isEmpty();
            assertThat(GREEN.filesBelow("/b")).isEqualTo(GREEN.files);
            assertThat(BLUE.filesBelow("/a")).isPositive();
            assertThat(BLUE.admin("renames", elasticsearch(), "--running").out())
                    .contains(id);
            assertThat(GREEN.admin("renames", elasticsearch(), "--running").out())
                    .doesNotContain(id);
            assertThat(BLUE.admin("locks", elasticsearch()).out()).contains(id);
            assertThat(GREEN.admin("locks", elasticsearch()).out()).doesNotContain(id);

            JsonNode ofBlue = blue.outcome(id);
            assertThat(BLUE.filesBelow("/b")).isEqualTo(MANY);
            assertThat(ofBlue.path("status").asText()).isEqualTo("completed");
            assertThat(ofGreen.path("status").asText()).isEqualTo("completed");
            blue.catchUp();
            green.catchUp();
            none.catchUp();
            assertThat(blue.outcomesRead(id)).hasSize(1).doesNotContainAnyElementsOf(green.outcomesRead(id));
            assertThat(green.outcomesRead(id)).hasSize(1);
            assertThat(none.outcomesRead(id)).isEmpty();
        }
        assertThat(Es.entry(id)).isEmpty();
        assertThat(BLUE.processes()).isNotEmpty().doesNotContainAnyElementsOf(GREEN.processes());
        assertThat(Es.control("process").stream()
                        .map(process -> process.path("process_id").asText()))
                .doesNotContainAnyElementsOf(BLUE.processes())
                .doesNotContainAnyElementsOf(GREEN.processes());
        for (Site site : List.of(BLUE, GREEN)) {
            Site other = site == BLUE ? GREEN : BLUE;
            String shown = site.admin("processes", elasticsearch(), "--all").out();
            assertThat(site.processes()).allMatch(shown::contains);
            assertThat(other.processes()).noneMatch(shown::contains);
        }
    }

    @Test
    void each_consumer_group_has_committed_only_the_offsets_of_its_own_topic() throws Exception {
        ObjectNode request = Requests.rename(NAMESPACE, "/nothing", "/somewhere");
        try (Log green = Log.of(GREEN.installation);
                Admin admin = Admin.create(Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()))) {
            green.send(0, request.toString());
            assertThat(green.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("rejected");

            Awaitility.await("a committed offset").atMost(Log.PATIENCE).untilAsserted(() -> {
                Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(
                                GREEN.installation.workers())
                        .partitionsToOffsetAndMetadata()
                        .get();
                assertThat(offsets.keySet())
                        .isNotEmpty()
                        .allMatch(partition -> partition.topic().equals("green.rename.requests"));
            });
        }
    }

    @Test
    void a_janitor_fences_and_finishes_only_for_its_own_installation() throws Exception {
        try (Site red = new Site(new Installation("red"), MANY, SLOW)) {
            red.start();
            red.index("/a");
            ObjectNode request = Requests.rename(NAMESPACE, "/a", "/b");
            String id = Requests.id(request);
            try (Log log = Log.of(red.installation)) {
                log.send(0, request.toString());
                awaitState(red, id, "moving");
                red.process(1).kill();
                red.process(0).kill();

                // in three leases, the janitors of the other installations check their own processes several times
                Awaitility.await("nothing fences the dead processes")
                        .during(Duration.ofSeconds(6))
                        .atMost(Log.PATIENCE)
                        .until(() -> red.elasticsearch.control("process").stream()
                                .allMatch(process ->
                                        process.path("state").asText().equals("live")));
                assertThat(red.state(id)).isEqualTo("moving");

                String janitor = red.janitor();
                assertThat(log.outcome(id).path("status").asText()).isEqualTo("completed");
                assertThat(red.filesBelow("/b")).isEqualTo(MANY);
                assertThat(red.elasticsearch.entry(id).orElseThrow().toString()).contains(janitor);
            }
        }
    }

    @Test
    void producer_reader_and_writer_of_the_library_use_the_prefix() throws Exception {
        String prefix = GREEN.installation.prefix();
        GREEN.index("/library");
        try (RenameProducer producer = RenameProducer.connect(
                        ProducerSettings.of(TestServers.kafkaBootstrapServers()).withPrefix(prefix));
                TreeReader reader = TreeReader.connect(TestServers.elasticsearchUrl(), prefix);
                TreeLocks locks = TreeLocks.connect(
                        WriterSettings.of(TestServers.elasticsearchUrl()).withPrefix(prefix))) {
            try (var held = locks.write(NAMESPACE, "/library")) {
                assertThat(held.stillHeld()).isTrue();
                assertThat(GREEN.elasticsearch.locks().holds()).isNotEmpty();
            }
            var outcome = producer.submit(new RenameRequest(
                            producer.newRequestId(), NAMESPACE, "/library", "/books", OnExisting.FAIL, "test"))
                    .outcome()
                    .get(1, TimeUnit.MINUTES);

            assertThat(outcome.outcome().status()).isEqualTo(Status.COMPLETED);
            assertThat(reader.count(NAMESPACE, "/books", null)).isEqualTo(GREEN.files);
        }
    }

    @Test
    void the_command_line_and_the_gateway_use_the_prefix() throws Exception {
        GREEN.index("/mv");
        String prefix = "--prefix=green";
        Path tokens = Files.writeString(folder.resolve("tokens"), "me:secret-of-the-test:rename\n");

        Console.Output moved =
                Console.output(Console.RENAME, List.of("mv", "/mv", "/moved", prefix, kafka(), "--request-id=of-mv"));
        Console.Output status = Console.output(Console.RENAME, List.of("status", "of-mv", prefix, elasticsearch()));
        Console.Output elsewhere =
                Console.output(Console.RENAME, List.of("status", "of-mv", "--prefix=blue", elasticsearch()));
        Console.Output listed = Console.output(Console.RENAME, List.of("ls", "/moved", prefix, elasticsearch()));

        assertThat(moved.code()).as(moved.err()).isZero();
        assertThat(status.code()).as(status.err()).isZero();
        assertThat(elsewhere.code()).as("no such request: " + elsewhere.err()).isEqualTo(5);
        assertThat(listed.out()).contains("/moved/0", "/moved/1", "/moved/2");
        try (GatewayProcess gateway = GatewayProcess.start(prefix, "--http-token-file=" + tokens)) {
            var found = gateway.to("/v1/renames/of-mv")
                    .header("Authorization", "Bearer secret-of-the-test")
                    .build();
            var answer = HttpClient.newHttpClient().send(found, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    @Test
    void a_wrong_prefix_is_a_clear_error() {
        String wrong = "--prefix=gren";

        Console.Output mv = Console.output(Console.RENAME, List.of("mv", "/x", "/y", wrong, kafka()));
        Console.Output renames = Console.output(Console.RENAME_ADMIN, List.of("renames", wrong, elasticsearch()));
        Console.Output letters = Console.output(Console.RENAME_ADMIN, List.of("dlt", "list", wrong, kafka()));
        Console.Output invalid =
                Console.output(Console.RENAME_ADMIN, List.of("renames", "--prefix=Gren", elasticsearch()));

        assertThat(mv.code()).isEqualTo(3);
        assertThat(mv.err())
                .contains("has no topic gren.rename.requests; create the topic first, or correct the prefix");
        assertThat(renames.code()).isEqualTo(3);
        assertThat(renames.err()).contains("there is no control index gren.tree-rename-control", "correct --prefix");
        assertThat(letters.code()).isEqualTo(3);
        assertThat(letters.err())
                .contains("there is no topic gren.rename.requests-dlt; create it, or correct --prefix");
        assertThat(invalid.code()).isEqualTo(2);
        assertThat(invalid.err()).contains("the prefix must have 1 to 63 characters", "was \"Gren\"");
    }

    @Test
    void a_worker_with_a_wrong_prefix_is_not_ready_and_names_the_missing_topic() throws IOException {
        try (Services worker =
                Services.start("worker", "org.treerename.worker.Main", 1, List.of("--prefix=lost", "--lease=2s"))) {
            var ready = worker.get("/health/ready");

            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("there is no topic lost.rename.requests; create it, or correct --prefix");
            assertThat(Files.readString(worker.logs().getFirst()))
                    .contains("there is no topic lost.rename.requests; create it, or correct --prefix");
        }
    }

    @Test
    void the_metrics_have_the_label_of_their_installation() {
        assertThat(BLUE.services.getFirst().get("/metrics").body().lines())
                .anyMatch(line -> line.startsWith("tree_rename_running{installation=\"blue\"} "));
        assertThat(GREEN.services.getFirst().get("/metrics").body().lines())
                .anyMatch(line -> line.startsWith("tree_rename_running{installation=\"green\"} "));
    }

    @Test
    void no_namespace_can_have_its_documents_in_the_control_index_of_another_installation() throws IOException {
        Path file = Files.writeString(folder.resolve("control.yaml"), """
            namespaces: [{ name: other, index: blue.tree-rename-control, path_field: path }]
            """);

        Console.Output defined = Console.output(
                Console.RENAME_ADMIN,
                List.of("namespaces", "define", file.toString(), "--prefix=green", elasticsearch()));

        assertThat(defined.code()).isEqualTo(1);
        assertThat(defined.out() + defined.err())
                .contains("the locks and the journal are stored in the index blue.tree-rename-control");
    }
}
