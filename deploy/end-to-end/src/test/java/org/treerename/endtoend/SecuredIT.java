package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;

/** An Elasticsearch whose security is on: who may do what the README says renames, and who may not does not begin. */
final class SecuredIT {

    private static final String PASSWORD = "secret-of-tests";

    /** Of {@link #PASSWORD}. */
    private static final String BCRYPT = "$2a$10$abcdefghijklmnopqrstuuyw9nlECdCEytqhiX91ZT5AKO.nsQYh6";

    private static final String WORKER = "org.treerename.worker.Main";
    private static final String JANITOR = "org.treerename.janitor.Main";

    private static final String CONTROL = """
            {"names":["tree-rename-control"],"privileges":["read","write","create_index","maintenance","view_index_metadata"]}""";

    @TempDir
    private static Path folder;

    private static ElasticsearchServer server;
    private static Elasticsearch root;
    private static Log log;
    private static Path namespaces;
    private static Path password;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticsearchServer.start(ElasticsearchSettings.in(folder.resolve("elasticsearch"))
                .withHeap("512m")
                .withSettings(Map.of(
                        "xpack.security.enabled", "true",
                        "xpack.security.http.ssl.enabled", "false",
                        "xpack.security.transport.ssl.enabled", "false"))
                .withFiles(Map.of("users", "root:" + BCRYPT + "\n", "users_roles", "superuser:root\n")));
        root = Elasticsearch.at(server.url()).as("root", PASSWORD);
        log = Log.open();
        namespaces = Files.writeString(
                folder.resolve("namespaces.yaml"),
                "namespaces: [{ name: files, index: files, path_field: path, parent_field: parent, name_field: name }]");
        password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        root.put(
                "/files-1",
                "{\"aliases\":{\"files\":{}},\"mappings\":{\"dynamic\":false,\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        root.put("/files-1/_doc/1?refresh=true", "{\"path\":\"/a/1\",\"parent\":\"/a\",\"name\":\"1\"}");
        role(
                "renamer",
                "{\"names\":[\"files\"],\"privileges\":[\"read\",\"maintenance\",\"view_index_metadata\"]}",
                "{\"names\":[\"files-1\"],\"privileges\":[\"read\",\"write\"]}");
        assertThat(root.post("/_security/user/renamer", "{\"password\":\"" + PASSWORD + "\",\"roles\":[\"renamer\"]}")
                        .path("created")
                        .asBoolean())
                .isTrue();
    }

    @AfterAll
    static void stop() {
        log.close();
        server.close();
    }

    private static void role(String name, String... indices) {
        assertThat(root.post("/_security/role/" + name, privileges(indices))
                        .at("/role/created")
                        .asBoolean())
                .isTrue();
    }

    private static String privileges(String... indices) {
        return "{\"indices\":[" + CONTROL + "," + String.join(",", indices) + "]}";
    }

    /** The file with a new API key that may do this. */
    private static Path key(String name, String... indices) throws IOException {
        JsonNode made = root.post(
                "/_security/api_key",
                "{\"name\":\"" + name + "\",\"role_descriptors\":{\"r\":" + privileges(indices) + "}}");
        return Files.writeString(folder.resolve(name), made.required("encoded").asText() + "\n");
    }

    private static String refused(String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--namespaces=" + namespaces);
        return Services.refused(root, WORKER, all.toArray(String[]::new));
    }

    @Test
    void aWorkerThatMayNotWriteDoesNotBeginAndSaysWhatItLacks() throws IOException {
        Path reader = key(
                "reader", "{\"names\":[\"files*\"],\"privileges\":[\"read\",\"maintenance\",\"view_index_metadata\"]}");
        Path stranger = key("stranger", "{\"names\":[\"others\"],\"privileges\":[\"all\"]}");
        Path ofAlias = key("of-alias", "{\"names\":[\"files\"],\"privileges\":[\"all\"]}");

        assertThat(refused("--elasticsearch-api-key-file=" + reader))
                .contains("the namespace files: the user or API key of this process lacks write on files-1;"
                        + " grant read, write on it");
        assertThat(refused("--elasticsearch-api-key-file=" + stranger))
                .contains("lacks view_index_metadata, read, maintenance on files; grant");
        assertThat(refused("--elasticsearch-api-key-file=" + ofAlias)).contains("lacks read, write on files-1");
    }

    @Test
    void whoMayDoWhatTheReadmeSaysRenamesAndNoLogTellsItsSecret() throws IOException, InterruptedException {
        Group group = Group.atTheEndOfTheLog();
        List<String> asRenamer = List.of("--elasticsearch-user=renamer", "--elasticsearch-password-file=" + password);
        List<String> options = new ArrayList<>(asRenamer);
        options.add("--namespaces=" + namespaces);
        List<String> ofWorker = new ArrayList<>(options);
        ofWorker.add(group.option());
        try (Services janitors = Services.start(root, "janitor", JANITOR, 1, options);
                Services workers = Services.start(root, "worker", WORKER, 1, ofWorker)) {
            ObjectNode request = Requests.rename("files", "/a", "/b");
            Path key = key(
                    "renamer",
                    "{\"names\":[\"files\"],\"privileges\":[\"read\",\"maintenance\",\"view_index_metadata\"]}",
                    "{\"names\":[\"files-1\"],\"privileges\":[\"read\",\"write\"]}");

            Console.Ended free = console(
                    "org.treerename.producer.cli.Main",
                    List.of("mv", "--dry-run", "/a", "/b"),
                    List.of("--elasticsearch-api-key-file=" + key));
            log.send(0, request.toString());

            assertThat(log.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("completed");
            assertThat(free.out()).contains("1 document (1 in files-1)");
            assertThat(free.code()).isZero();
            assertThat(root.get("/files-1/_doc/1").at("/_source/path").asText()).isEqualTo("/b/1");
            Console.Ended audit = console("org.treerename.janitor.admin.Main", List.of("audit"), asRenamer);
            assertThat(audit).isEqualTo(new Console.Ended(0, "no leak\n"));
            for (Path written :
                    List.of(workers.logs().getFirst(), janitors.logs().getFirst())) {
                assertThat(Files.readString(written)).isNotEmpty().doesNotContain(PASSWORD);
            }
        }
    }

    private static Console.Ended console(String mainClass, List<String> command, List<String> options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(options);
        all.add("--elasticsearch-url=" + server.url());
        return Console.run(mainClass, all);
    }

    @Test
    void anElasticsearchThatDoesNotLetOneInTellsNothing() throws IOException, InterruptedException {
        Path wrong = Files.writeString(folder.resolve("wrong"), "wrong");
        List<String> stranger = List.of("--elasticsearch-user=renamer", "--elasticsearch-password-file=" + wrong);

        assertThat(console("org.treerename.producer.cli.Main", List.of("mv", "--dry-run", "/a", "/b"), stranger))
                .isEqualTo(new Console.Ended(3, ""));
        assertThat(console("org.treerename.janitor.admin.Main", List.of("audit"), stranger)
                        .code())
                .isEqualTo(1);
        for (String service : List.of(WORKER, JANITOR)) {
            assertThat(Services.ended(1, root, service, stranger.toArray(String[]::new)))
                    .contains("unable to authenticate user [renamer]")
                    .doesNotContain("\tat ");
        }
    }
}
