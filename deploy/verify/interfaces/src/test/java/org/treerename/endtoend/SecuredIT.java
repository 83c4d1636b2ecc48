package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.certificates.Authority;
import org.treerename.cli.ExitCode;
import org.treerename.crash.CrashPoint;
import org.treerename.elastic.Authorization;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeCheck;
import org.treerename.elastic.Tls;
import org.treerename.installation.Installation;
import org.treerename.namespace.NamespaceFile;
import org.treerename.namespace.TreeProblem;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriteHold;
import org.treerename.producer.writer.WriterSettings;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.store.NoAnswerException;
import picocli.CommandLine;

/**
 * Tests the programs on servers with TLS and authentication. A program with exactly the rights of security.md works. A
 * program that lacks a right or has an unknown login does not start, and reports the reason in one sentence. No log
 * contains a secret.
 */
final class SecuredIT {

    private static final String PASSWORD = "canary-of-elasticsearch";
    private static final String KAFKA_PASSWORD = "canary-of-kafka";
    private static final String WRONG = "canary-that-is-wrong";

    private static final String WORKER = "org.treerename.worker.Main";
    private static final String JANITOR = "org.treerename.janitor.Main";
    private static final String RENAME = Console.RENAME;
    private static final String ADMIN = Console.RENAME_ADMIN;

    private static final String DEBUG_LOG = "-Dlogback.configurationFile=org/treerename/endtoend/logback-debug.xml";

    private static final String CONTROL = """
        {"names":["tree-rename-control"],"privileges":["read","write","create_index","maintenance","view_index_metadata"]}\
        """;

    private static final Pattern ROLE = Pattern.compile("(?s)```json\n(\\{ \"indices\":.*?)```");
    private static final Pattern ACL = Pattern.compile("\\| (\\w+) \\| `(\\w+)` \\| (topic|group) `([\\w.-]+)` \\|");

    /** The programs that {@link #assertEnds} has already run as a process. */
    private static final Set<String> PROCESSES = new HashSet<>();

    @TempDir
    private static Path folder;

    private static SecuredServers servers;
    private static Elasticsearch root;
    private static String page;
    private static Log log;
    private static Path namespaces;
    private static Path password;

    @BeforeAll
    static void start() throws IOException, GeneralSecurityException, ExecutionException, InterruptedException {
        servers = SecuredServers.start(
                folder,
                Map.of(
                        "worker", KAFKA_PASSWORD,
                        "janitor", KAFKA_PASSWORD,
                        "sender", KAFKA_PASSWORD,
                        "operator", KAFKA_PASSWORD,
                        "publisher", KAFKA_PASSWORD));
        root = servers.root();
        page = Files.readString(Path.of("..", "..", "docs", "security.md"));
        log = Log.at(servers.admin());
        grantRightsOfPage();
        namespaces = Files.writeString(
                folder.resolve("namespaces.yaml"),
                "namespaces: [{ name: files, index: files, path_field: path, parent_field: parent, name_field: name"
                        + " }]");
        root.put(
                "/files-1",
                "{\"aliases\":{\"files\":{}},\"mappings\":{\"dynamic\":false,\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        root.put("/files-1/_doc/1?refresh=true", "{\"path\":\"/a/1\",\"parent\":\"/a\",\"name\":\"1\"}");
        password = servers.user(root, "renamer", PASSWORD, role().toString());
    }

    @AfterAll
    static void stop() {
        log.close();
        servers.close();
    }

    /** Returns the Elasticsearch role that security.md contains. */
    private static JsonNode role() throws IOException {
        return Es.JSON.readTree(ROLE.matcher(page)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow());
    }

    private static void grantRightsOfPage() throws ExecutionException, InterruptedException {
        List<AclBinding> granted = ACL.matcher(page)
                .results()
                .map(row -> new AclBinding(
                        new ResourcePattern(ResourceType.fromString(row.group(3)), row.group(4), PatternType.LITERAL),
                        new AccessControlEntry(
                                "User:" + row.group(1),
                                "*",
                                AclOperation.fromString(row.group(2).replaceAll("([a-z])([A-Z])", "$1_$2")),
                                AclPermissionType.ALLOW)))
                .toList();
        assertThat(granted).hasSizeGreaterThan(5);
        try (Admin admin = Admin.create(servers.admin())) {
            admin.createAcls(granted).all().get();
        }
    }

    private static String privileges(String... indices) {
        return "{\"indices\":[" + CONTROL + "," + String.join(",", indices) + "]}";
    }

    /** Creates an API key with this role. Returns the file with the key. */
    private static Path key(String name, String role) throws IOException {
        JsonNode made = root.post(
                "/_security/api_key", "{\"name\":\"" + name + "\",\"role_descriptors\":{\"r\":" + role + "}}");
        return Files.writeString(folder.resolve(name), made.required("encoded").asText() + "\n");
    }

    private static List<String> list(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    /** Starts a worker that must end because of these options, and returns its output. */
    private static String refused(String... options) throws IOException {
        return refusedAs(WORKER, "worker", options);
    }

    private static String refusedAs(String service, String user, String... options) throws IOException {
        List<String> all = new ArrayList<>(servers.elasticsearchOptions());
        all.addAll(servers.kafkaOptions(user));
        all.add("--namespaces=" + namespaces);
        all.addAll(List.of(options));
        return Services.refused(root, service, all.toArray(String[]::new));
    }

    @Test
    void a_service_without_a_right_does_not_start_and_names_the_right() throws IOException {
        Path reader = key(
                "reader",
                privileges(
                        "{\"names\":[\"files*\"],\"privileges\":[\"read\",\"maintenance\",\"view_index_metadata\"]}"));
        Path stranger = key("stranger", privileges("{\"names\":[\"others\"],\"privileges\":[\"all\"]}"));
        Path aliasOnly = key("of-alias", privileges("{\"names\":[\"files\"],\"privileges\":[\"all\"]}"));

        String lacksWrite = "the namespace files: the user or API key of this process lacks write on files-1;"
                + " grant read, write on files-1";
        assertThat(refusedAs(JANITOR, "janitor", "--elasticsearch-api-key-file=" + reader))
                .contains(lacksWrite);
        assertThat(refused("--elasticsearch-api-key-file=" + stranger))
                .contains("lacks view_index_metadata, read, maintenance on files; grant");
        assertThat(refused("--elasticsearch-api-key-file=" + aliasOnly)).contains("lacks read, write on files-1");
    }

    @Test
    void a_service_names_each_right_of_the_page_that_it_lacks() throws IOException {
        int removed = 0;
        for (int i = 0; i < role().required("indices").size(); i++) {
            JsonNode entry = role().required("indices").get(i);
            String name = entry.required("names").get(0).asText();
            for (int j = 0; j < entry.required("privileges").size(); j++) {
                ObjectNode less = role().deepCopy();
                ArrayNode privileges =
                        (ArrayNode) less.required("indices").get(i).required("privileges");
                String privilege = privileges.remove(j).asText();
                // delete the control index, because a service needs one more right to create the index
                root.send("DELETE", "/tree-rename-control", "");
                String key = "--elasticsearch-api-key-file=" + key("less-" + removed++, less.toString());

                // for the first right of each entry, start a worker
                // for the other rights, run the checks of a starting worker inside this JVM
                assertThat(j == 0 ? refused(key) : missing(key))
                        .contains("lacks " + privilege + " on " + name)
                        .doesNotContain("\tat ");
            }
        }
        assertThat(removed).isGreaterThan(5);
    }

    /** Runs the checks of a starting service inside this JVM, and returns the reported problems. */
    private static String missing(String key) {
        ElasticsearchOptions options = CommandLine.populateCommand(
                new ElasticsearchOptions(),
                list(servers.elasticsearchOptions(), key).toArray(String[]::new));
        try (Elastic elastic = Elastic.connect(options.settings(Installation.DEFAULT))) {
            return Stream.concat(
                            new ControlIndex(elastic).forbidden().stream(),
                            NamespaceFile.read(namespaces).stream()
                                    .flatMap(namespace -> new ElasticTreeCheck(elastic).problems(namespace).stream()))
                    .map(TreeProblem::toString)
                    .collect(Collectors.joining("\n"));
        }
    }

    @Test
    void the_rights_of_the_page_are_enough_and_no_log_holds_a_secret() throws IOException, InterruptedException {
        List<String> both = List.of("--namespaces=" + namespaces, "--lease=2s", DEBUG_LOG);
        List<String> ofWorker = Stream.concat(servers.options("worker", "renamer", password).stream(), both.stream())
                .toList();
        List<String> ofJanitor = Stream.concat(servers.options("janitor", "renamer", password).stream(), both.stream())
                .toList();
        Path key = key("renamer-key", role().toString());
        List<String> withKey = list(servers.elasticsearchOptions(), "--elasticsearch-api-key-file=" + key);
        Path err = folder.resolve("consoles.err");
        List<Path> logs = new ArrayList<>(List.of(err));
        StringBuilder output = new StringBuilder();
        try (Services janitors = Services.start(root, "janitor", JANITOR, 1, ofJanitor)) {
            logs.addAll(janitors.logs());
            ObjectNode first = Requests.rename("files", "/a", "/b");
            try (Services dying = Services.start(
                    root,
                    "worker",
                    Program.INSTRUMENTED_WORKER,
                    1,
                    list(ofWorker, "--crash-at=" + new CrashCase(CrashPoint.AFTER_COMMIT, 1)))) {
                logs.addAll(dying.logs());
                log.send(0, first.toString());
                assertThat(dying.processes().getFirst().waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
            }
            assertThat(log.outcome(Requests.id(first)).path("rolled_forward").asBoolean())
                    .isTrue();
            try (Services workers = Services.start(root, "worker", WORKER, 1, ofWorker)) {
                logs.addAll(workers.logs());
                Awaitility.await("the worker is ready")
                        .atMost(Log.PATIENCE)
                        .until(() -> workers.get("/health/ready").statusCode() == 200);
                Console.Ended free = process(RENAME, err, list(withKey, "mv", "--dry-run", "/b", "/c"));
                Console.Ended renamed = process(
                        RENAME, err, list(servers.kafkaOptions("sender"), "mv", "/b", "/c", "--request-id=moved"));
                RecordMetadata noRequest = log.send(0, null, "no request".getBytes(StandardCharsets.UTF_8));
                assertThat(Log.header(log.deadLetter(noRequest), "dlt-reason")).isEqualTo("not_json");
                Console.Ended letters = process(ADMIN, err, list(servers.kafkaOptions("operator"), "dlt", "list"));
                Console.Ended audit = process(ADMIN, err, list(withKey, "audit"));

                assertThat(free.out()).contains("1 document (1 in files-1)");
                assertThat(free.code()).isZero();
                assertThat(renamed.code()).as(Files.readString(err)).isZero();
                assertThat(letters.out()).contains("not_json");
                assertThat(audit).isEqualTo(new Console.Ended(0, "no leak\n"));
                assertThat(root.get("/files-1/_doc/1").at("/_source/path").asText())
                        .isEqualTo("/c/1");
                output.append(free.out()).append(renamed.out()).append(letters.out());
                output.append(
                        runOperatorCommands(withKey, workers.ids().iterator().next(), err));
            }
            root.post("/files-1/_update/1?refresh=true", "{\"doc\":{\"path\":\"/a/1\",\"parent\":\"/a\"}}");
        }
        logs.add(Files.writeString(folder.resolve("consoles.out"), output));
        assertThat(Files.readString(logs.get(1))).contains("DEBUG");
        assertNoSecret(logs, Files.readString(key).strip());
    }

    /**
     * Runs every command that sends requests to Elasticsearch, with exactly the rights of security.md. Returns the
     * output of the commands.
     */
    private static String runOperatorCommands(List<String> withKey, String worker, Path err)
            throws IOException, InterruptedException {
        List<String> asSender = list(withKey, servers.kafkaOptions("sender").toArray(String[]::new));
        List<String> asOperator = list(withKey, servers.kafkaOptions("operator").toArray(String[]::new));
        Map<List<String>, Integer> exitCodes = new LinkedHashMap<>();
        exitCodes.put(list(withKey, "status", "moved"), 0);
        exitCodes.put(list(withKey, "cancel", "moved"), 1);
        exitCodes.put(list(asSender, "undo", "moved"), 0);
        exitCodes.put(list(withKey, "ls", "/b"), 0);
        exitCodes.put(list(withKey, "watch", "--once"), 0);
        StringBuilder output = new StringBuilder();
        output.append(runAll(RENAME, err, exitCodes));
        exitCodes.clear();
        exitCodes.put(list(withKey, "processes"), 0);
        exitCodes.put(list(withKey, "renames"), 0);
        exitCodes.put(list(withKey, "locks"), 0);
        exitCodes.put(list(withKey, "check", "files"), 0);
        exitCodes.put(list(withKey, "namespaces", "define", namespaces.toString()), 0);
        exitCodes.put(list(withKey, "namespaces", "show"), 0);
        exitCodes.put(list(asOperator, "doctor"), 0);
        exitCodes.put(list(asOperator, "retry-parked", "moved"), 1);
        exitCodes.put(list(asOperator, "audit", "--repair"), 0);
        exitCodes.put(list(withKey, "pause"), 0);
        exitCodes.put(list(withKey, "unpause"), 0);
        exitCodes.put(list(withKey, "fence", worker, "--yes"), 0);
        output.append(runAll(ADMIN, err, exitCodes));
        assertThat(root.get("/files-1/_doc/1").at("/_source/path").asText()).isEqualTo("/b/1");
        assertThat(Files.readString(err))
                .doesNotContain("unauthorized", "Not authorized")
                // do not treat .403Z in a time stamp as a status
                .doesNotContainPattern("(?<![.\\d])403\\b");
        return output.toString();
    }

    private static String runAll(String program, Path err, Map<List<String>, Integer> exitCodes)
            throws IOException, InterruptedException {
        StringBuilder output = new StringBuilder();
        for (Map.Entry<List<String>, Integer> command : exitCodes.entrySet()) {
            Console.Ended ended = console(program, err, command.getKey());
            assertThat(ended.code())
                    .as("exit code of %s, with the output %s, %s", command.getKey(), ended.out(), Files.readString(err))
                    .isEqualTo(command.getValue());
            output.append(ended.out());
        }
        return output.toString();
    }

    private static void assertNoSecret(List<Path> logs, String key) throws IOException {
        byte[] basic = ("renamer:" + PASSWORD).getBytes(StandardCharsets.UTF_8);
        String decoded = new String(Base64.getDecoder().decode(key), StandardCharsets.UTF_8);
        for (Path written : logs) {
            assertThat(Files.readString(written))
                    .as("%s", written)
                    .doesNotContain(
                            PASSWORD,
                            KAFKA_PASSWORD,
                            WRONG,
                            Base64.getEncoder().encodeToString(basic),
                            key,
                            decoded.substring(decoded.indexOf(':') + 1),
                            Arrays.toString(KAFKA_PASSWORD.getBytes(StandardCharsets.UTF_8))
                                    .replaceAll("[\\[\\]]", ""));
        }
    }

    private static Console.Ended console(String mainClass, Path err, List<String> options) throws IOException {
        return appended(err, Console.output(mainClass, commandFirst(options)));
    }

    private static Console.Ended process(String mainClass, Path err, List<String> options)
            throws IOException, InterruptedException {
        return appended(err, Console.process(mainClass, commandFirst(options)));
    }

    private static Console.Ended appended(Path err, Console.Output output) throws IOException {
        Files.writeString(err, output.err(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return output.ended();
    }

    private static List<String> commandFirst(List<String> options) {
        List<String> words = new ArrayList<>(options);
        words.sort(Comparator.comparing(word -> word.startsWith("--") && word.contains("=")));
        return words;
    }

    @Test
    void each_program_reports_a_failed_login_or_handshake_in_one_sentence() throws IOException, InterruptedException {
        Path wrong = Files.writeString(folder.resolve("wrong"), WRONG);
        Path stranger = Authority.in(folder.resolve("stranger-authority")).certificate();
        List<String> elastic = servers.elasticsearchOptions();
        List<String> kafka = servers.kafkaOptions("worker");
        List<String> known = List.of("--elasticsearch-user=renamer", "--elasticsearch-password-file=" + password);

        List<List<String>> wrongOptions = List.of(
                list(elastic, "--elasticsearch-user=renamer", "--elasticsearch-password-file=" + wrong),
                list(known, "--elasticsearch-url=" + servers.elasticsearchUrl(), "--elasticsearch-ca-file=" + stranger),
                list(known, "--elasticsearch-url=" + servers.elasticsearchUrl()));
        List<String> why = List.of(
                "Elasticsearch rejected the credentials of this process: unable to authenticate user [renamer]",
                "the TLS connection to Elasticsearch failed: ",
                "the TLS connection to Elasticsearch failed: ");
        for (int i = 0; i < wrongOptions.size(); i++) {
            List<String> options = wrongOptions.get(i);
            String service = i == 0 ? JANITOR : WORKER;
            assertSentence(Services.refused(root, service, joined(options, kafka)), why.get(i));
            assertEnds(RENAME, 3, why.get(i), list(options, "mv", "--dry-run", "/a", "/b"));
            assertEnds(ADMIN, 3, why.get(i), list(options, "audit"));
        }

        List<List<String>> wrongLogins = List.of(
                servers.kafkaOptions("worker", WRONG, servers.authority()),
                servers.kafkaOptions("worker", KAFKA_PASSWORD, stranger));
        List<String> reasons = List.of("Authentication failed: Invalid username or password", "SSL handshake failed");
        for (int i = 0; i < wrongLogins.size(); i++) {
            String service = i == 0 ? WORKER : JANITOR;
            assertSentence(
                    Services.refused(
                            root, service, joined(list(elastic, known.get(0), known.get(1)), wrongLogins.get(i))),
                    reasons.get(i));
            assertEnds(RENAME, 3, "cannot connect to Kafka at ", list(wrongLogins.get(i), "mv", "/a", "/b"));
            assertEnds(ADMIN, 3, reasons.get(i), list(wrongLogins.get(i), "dlt", "list", "--request-timeout=20s"));
        }
    }

    /** Runs the doctor, and returns the first line of each finding. */
    private static List<String> doctor(int code, String kafkaUser, String... options) throws IOException {
        List<String> words = list(servers.elasticsearchOptions(), options);
        Console.Output output = Console.output(
                ADMIN,
                commandFirst(list(
                        words,
                        Stream.concat(
                                        Stream.of("doctor", "--namespaces=" + namespaces),
                                        servers.kafkaOptions(kafkaUser).stream())
                                .toArray(String[]::new))));
        assertThat(output.code()).as(output.out() + output.err()).isEqualTo(code);
        return output.out().lines().filter(line -> !line.startsWith(" ")).toList();
    }

    @Test
    void the_doctor_names_missing_rights_and_needs_no_more_rights_than_the_services() throws IOException {
        String ofPage = "--elasticsearch-api-key-file=" + key("doctor-of-page", role().toString());
        ObjectNode more = role().deepCopy();
        more.putArray("cluster").add("monitor");
        String withMonitor = "--elasticsearch-api-key-file=" + key("doctor-with-monitor", more.toString());
        ObjectNode less = role().deepCopy();
        ((ArrayNode) less.required("indices").get(0).required("privileges")).remove(1);
        ((ArrayNode) less.required("indices").get(2).required("privileges")).remove(1);
        String withLess = "--elasticsearch-api-key-file=" + key("doctor-with-less", less.toString());

        assertThat(doctor(0, "worker", ofPage))
                .contains(
                        "ok: elasticsearch version: Elasticsearch 9.4.3 is supported",
                        "ok: namespace files: the index files is suitable; searches find all its documents",
                        "warning: elasticsearch address: it is not known whether " + servers.elasticsearchUrl()
                                + " is a node or a load balancer",
                        "warning: clock: the clocks of the nodes of Elasticsearch cannot be read")
                .anyMatch(line -> line.startsWith("ok: elasticsearch privileges: the user of this command has"));
        assertThat(doctor(0, "worker", withMonitor))
                .anyMatch(line -> line.startsWith("ok: elasticsearch address: " + servers.elasticsearchUrl()))
                .anyMatch(line -> line.startsWith("ok: clock: "));
        assertThat(doctor(1, "worker", withLess))
                .contains(
                        "error: elasticsearch privileges: the user or API key of this process lacks write on"
                                + " tree-rename-control, so workers, janitors and gateways cannot work",
                        "error: namespace files: the user or API key of this process lacks write on files-1, so processes"
                                + " do not start");
        assertThat(doctor(0, "sender", ofPage))
                .anyMatch(line -> line.startsWith("warning: topic rename.requests-dlt: cannot be examined"))
                .anyMatch(line -> line.startsWith(
                        "warning: topic rename.outcomes: the settings cannot be read: Kafka does not allow"));
    }

    @Test
    void a_worker_without_the_right_to_read_requests_ends_and_names_it() throws IOException {
        String[] options =
                joined(servers.options("sender", "renamer", password), List.of("--namespaces=" + namespaces));

        assertSentence(
                Services.ended(ExitCode.NO_ANSWER.code(), root, WORKER, options),
                "rename-worker: Kafka does not allow this worker to read requests: Not authorized to access ");
    }

    @Test
    void a_sender_that_may_not_read_outcomes_learns_it_before_it_sends() throws Exception {
        try (Admin admin = Admin.create(servers.admin())) {
            admin.createAcls(List.of(
                            allow("rename.requests", AclOperation.WRITE),
                            allow("rename.outcomes", AclOperation.DESCRIBE)))
                    .all()
                    .get();
            List<String> publisher = servers.kafkaOptions("publisher");
            long before = requests(admin);

            Console.Output waiting = Console.output(
                    RENAME, commandFirst(list(publisher, "mv", "/nothing", "/nowhere", "--request-id=unreadable")));
            long afterWaiting = requests(admin);
            Console.Output published =
                    Console.output(RENAME, commandFirst(list(publisher, "mv", "/nothing", "/nowhere", "--no-wait")));

            assertThat(waiting.code()).isEqualTo(3);
            assertThat(waiting.err())
                    .contains("request unreadable was not sent: Kafka does not allow this client to read topic"
                            + " rename.outcomes");
            assertThat(afterWaiting).isEqualTo(before);
            assertThat(published.code()).as(published.err()).isZero();
            assertThat(requests(admin)).isEqualTo(before + 1);
        }
    }

    private static AclBinding allow(String topic, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:publisher", "*", operation, AclPermissionType.ALLOW));
    }

    /** Returns the number of records in the topic of requests. */
    private static long requests(Admin admin) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (int i = 0; i < Log.PARTITIONS; i++) {
            ends.put(new TopicPartition("rename.requests", i), OffsetSpec.latest());
        }
        return admin.listOffsets(ends).all().get().values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    private static String[] joined(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toArray(String[]::new);
    }

    private static void assertSentence(String output, String why) {
        assertThat(output).contains(why).doesNotContain("\tat ", PASSWORD, KAFKA_PASSWORD, WRONG);
        assertThat(output.lines().filter(line -> line.contains(why)).count()).isPositive();
    }

    private static void assertEnds(String program, int code, String why, List<String> options)
            throws IOException, InterruptedException {
        // the first run of a program is a process, which also writes its log to standard error
        // all later runs are inside this JVM
        boolean isFirst = PROCESSES.add(program);
        List<String> words = commandFirst(options);
        Console.Output output = isFirst ? Console.process(program, words) : Console.output(program, words);
        assertThat(output.ended()).as(output.err()).isEqualTo(new Console.Ended(code, ""));
        assertSentence(output.err(), why);
    }

    @Test
    void a_writer_works_with_its_login_and_fails_at_once_with_a_wrong_one() throws IOException {
        try (Services janitors = Services.start(
                root,
                "janitor",
                JANITOR,
                1,
                list(servers.options("janitor", "renamer", password), "--namespaces=" + namespaces))) {
            WriterSettings settings =
                    WriterSettings.of(servers.elasticsearchUrl()).over(Tls.of(servers.authority(), null, null));
            try (TreeLocks locks = TreeLocks.connect(settings.as(Authorization.ofUser("renamer", PASSWORD)));
                    WriteHold hold = locks.write("files", "/w")) {
                assertThat(hold.stillHeld()).isTrue();
            }
            try (TreeLocks locks = TreeLocks.connect(settings.as(Authorization.ofUser("renamer", WRONG)))) {
                assertThatThrownBy(() -> locks.write("files", "/w"))
                        .isInstanceOf(NoAnswerException.class)
                        .hasMessageContaining("rejected the credentials of this process");
            }
            assertThat(janitors.ids()).hasSize(1);
        }
    }
}
