package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests roles that hide fields or documents of a tree from tree rename. A move writes the whole document that was read.
 * So a hidden field would be lost, and a hidden document would be overlooked.
 */
final class HiddenFieldsIT {

    private static final String PASSWORD = "secret-of-mover";
    private static final String FIELDS = "\"field_security\":{\"grant\":[\"path\"]}";
    private static final String DOCUMENTS = "\"query\":{\"prefix\":{\"path\":\"/a\"}}";
    private static final String NOTHING = "\"query\":null";

    @TempDir
    private static Path folder;

    private static SecuredServers servers;
    private static Elasticsearch root;
    private static List<String> login;
    private static Path namespaces;

    @BeforeAll
    static void start() throws IOException, GeneralSecurityException {
        servers = SecuredServers.start(folder, Map.of("worker", "of-worker"));
        root = servers.root();
        namespaces = Files.writeString(
                folder.resolve("namespaces.yaml"), "namespaces: [{ name: files, index: files, path_field: path }]");
        root.put(
                "/files-1",
                "{\"aliases\":{\"files\":{}},\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        Path password = servers.user(root, "mover", PASSWORD, role(NOTHING));
        login = new ArrayList<>(servers.elasticsearchOptions());
        login.addAll(List.of("--elasticsearch-user=mover", "--elasticsearch-password-file=" + password));
        assertThat(Console.output(Console.RENAME_ADMIN, admin("namespaces", "define", namespaces.toString()))
                        .code())
                .isZero();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @BeforeEach
    void write() {
        root.put("/files-1/_doc/1?refresh=true", "{\"path\":\"/a/1\",\"secret\":\"kept\"}");
        root.put("/files-1/_doc/2?refresh=true", "{\"path\":\"/b/2\",\"secret\":\"kept\"}");
    }

    private static String role(String more) {
        return "{\"indices\":[{\"names\":[\"tree-rename-control\"],\"privileges\":[\"all\"]},"
                + "{\"names\":[\"files*\"],\"privileges\":[\"read\",\"write\",\"maintenance\",\"view_index_metadata\"],"
                + more + "}]}";
    }

    private static void restrict(String more) {
        assertThat(root.put("/_security/role/mover", role(more)).has("role")).isTrue();
    }

    private static List<String> admin(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(login);
        return all;
    }

    private static Console.Output mv(String source, String destination) {
        return Console.output(Console.RENAME, admin("mv", "--direct", source, destination));
    }

    private static String document(int id) {
        return root.get("/files-1/_doc/" + id).path("_source").toString();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {FIELDS, DOCUMENTS})
    void moves_no_document_of_an_index_that_it_sees_only_in_part(String hidden) {
        restrict(hidden);

        Console.Output moved = mv("/a", "/c");

        assertThat(document(1)).isEqualTo("{\"path\":\"/a/1\",\"secret\":\"kept\"}");
        assertThat(moved.code()).isEqualTo(1);
        assertThat(moved.out())
                .contains("failed: tree_refused")
                .contains("the role of this process hides fields or documents of files-1")
                .contains("remove field_security and query from the role");
    }

    @Test
    void moves_the_documents_when_nothing_is_hidden_any_more() {
        restrict(FIELDS);
        assertThat(mv("/a", "/c").code()).isEqualTo(1);
        restrict(NOTHING);

        Console.Output moved = mv("/a", "/c");

        assertThat(moved.code()).as("%s", moved).isZero();
        assertThat(document(1)).isEqualTo("{\"path\":\"/c/1\",\"secret\":\"kept\"}");
    }

    @Test
    void a_dry_run_needs_no_right_to_write() {
        assertThat(root.put("/_security/role/mover", role(NOTHING).replace("\"write\",", ""))
                        .has("role"))
                .isTrue();

        Console.Output dryRun = Console.output(Console.RENAME, admin("mv", "--dry-run", "/a", "/c"));

        assertThat(dryRun.code()).as("%s", dryRun).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {FIELDS, DOCUMENTS})
    void a_worker_does_not_start_and_check_and_doctor_name_the_role(String hidden) throws IOException {
        restrict(hidden);
        List<String> worker = new ArrayList<>(login);
        worker.addAll(servers.kafkaOptions("worker"));
        worker.add("--namespaces=" + namespaces);
        String problem = "the role of this process hides fields or documents of files-1, so a moved document would lose"
                + " its hidden fields; remove field_security and query from the role of the user or API key";

        assertThat(Services.refused(root, "org.treerename.worker.Main", worker.toArray(String[]::new)))
                .contains("the namespace files: " + problem);
        assertThat(Console.output(Console.RENAME_ADMIN, admin("check", "files")).out())
                .contains("index: " + problem);
        List<String> doctor = admin("doctor");
        doctor.addAll(servers.kafkaOptions("worker"));
        assertThat(Console.output(Console.RENAME_ADMIN, doctor).out()).contains("hides fields or documents of files-1");
    }
}
