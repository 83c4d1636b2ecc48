package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests every reason for a rejection by a real worker. A rejected request does not change the tree. */
final class RejectionsIT {

    private static Tree tree;
    private static Tree untyped;
    private static Log log;
    private static Workers workers;
    private static int sent;

    @BeforeAll
    static void start() {
        String deep = "/long/" + "d".repeat(250) + "/" + "e".repeat(250);
        tree = Tree.create()
                .directories("/a", "/a/sub", "/full", "/empty", "/long", "/long/" + "d".repeat(250))
                .files("/a/f", "/a/sub/g", "/full/x", "/file", "/other", deep)
                .index();
        untyped = Tree.createWithoutDirectories().files("/a/f", "/b/g", "/file").index();
        log = Log.open();
        workers = Workers.start(1);
    }

    @AfterAll
    static void stop() {
        workers.close();
        log.close();
    }

    @Test
    void a_missing_field_or_a_field_of_the_wrong_type_is_an_invalid_request() {
        assertRejected("invalid_request", r -> r.remove("source"));
        assertRejected("invalid_request", r -> r.put("destination", 7));
        assertRejected("invalid_request", r -> r.put("on_existing", "overwrite"));
        assertRejected("invalid_request", r -> r.put("requested_by", "x".repeat(1_001)));
    }

    @Test
    void a_namespace_that_is_not_defined_is_unknown() {
        assertRejected("unknown_namespace", r -> r.put("namespace", "nowhere"));
        assertRejected("unknown_namespace", r -> r.put("namespace", "No Name At All!"));
    }

    @Test
    void a_text_that_is_not_a_path_is_an_invalid_path() {
        for (String path : new String[] {
            "",
            "a",
            "a/b",
            "/a/",
            "//a",
            "/a//b",
            "/a/.",
            "/a/../b",
            "/a\0b",
            "/a\ud800",
            "/" + "x".repeat(4_096),
            "/x".repeat(1_001)
        }) {
            assertRejected("invalid_path", r -> r.put("source", path));
            assertRejected("invalid_path", r -> r.put("destination", path));
        }
        assertRejected("invalid_path", r -> r.put("source", "/"));
    }

    @Test
    void a_rename_that_makes_a_descendants_path_too_long_is_an_invalid_path() {
        String parent = "/empty";
        assertRejected(
                "invalid_path", r -> r.put("source", "/long").put("destination", parent + "/" + "n".repeat(3_700)));
    }

    @Test
    void a_directory_cannot_move_into_itself() {
        assertRejected("into_itself", r -> r.put("source", "/a").put("destination", "/a/sub/a"));
    }

    @Test
    void a_missing_source_is_not_found() {
        assertRejected("source_not_found", r -> r.put("source", "/missing").put("destination", "/missing"));
        assertRejected("source_not_found", r -> r.put("source", "/fil"));
    }

    @Test
    void a_destination_below_a_file_is_rejected() {
        assertRejected("ancestor_is_a_file", r -> r.put("destination", "/other/x"));
        assertRejected("ancestor_is_a_file", r -> r.put("destination", "/other/x/y"));
    }

    @Test
    void the_destinations_parent_must_exist_if_directories_are_documents() {
        assertRejected("destination_parent_not_found", r -> r.put("destination", "/nowhere/x"));
    }

    @Test
    void an_existing_destination_is_rejected_without_replace() {
        assertRejected("destination_exists", r -> r.put("destination", "/other"));
        assertRejected("destination_exists", r -> r.put("destination", "/empty"));
        assertRejected("destination_exists", r -> r.put("destination", "/"));
        assertRejected("destination_exists", r -> r.put("destination", "/").put("on_existing", "replace"));
        assertRejected(
                "destination_exists",
                r -> r.put("namespace", untyped.name()).put("source", "/a").put("destination", "/b"));
    }

    @Test
    void a_directory_with_a_document_of_several_paths_is_not_movable() {
        Es.put(
                "/" + untyped.name() + "/_doc/odd?refresh=true",
                "{\"path\":[\"/odd/1\",\"/odder/1\"],\"parent\":\"/odd\",\"name\":\"1\"}");

        assertRejected(
                "not_movable",
                r -> r.put("namespace", untyped.name()).put("source", "/odd").put("destination", "/even"));
    }

    @Test
    void a_file_does_not_replace_a_directory_and_a_directory_does_not_replace_a_file() {
        assertRejected("is_a_directory", r -> r.put("destination", "/empty").put("on_existing", "replace"));
        assertRejected(
                "not_a_directory",
                r -> r.put("source", "/a").put("destination", "/other").put("on_existing", "replace"));
    }

    @Test
    void a_directory_replaces_only_an_empty_directory() {
        assertRejected(
                "destination_not_empty",
                r -> r.put("source", "/a").put("destination", "/full").put("on_existing", "replace"));
    }

    @Test
    void the_first_of_several_reasons_is_reported() {
        assertRejected("unknown_namespace", r -> r.put("namespace", "nowhere").put("source", "x"));
        assertRejected("invalid_path", r -> r.put("source", "/").put("destination", "/a"));
        assertRejected("invalid_path", r -> r.put("source", "/long").put("destination", "/long/" + "n".repeat(3_700)));
        assertRejected("into_itself", r -> r.put("source", "/missing").put("destination", "/missing/x"));
        assertRejected("source_not_found", r -> r.put("source", "/missing").put("destination", "/other/x"));
        assertRejected("ancestor_is_a_file", r -> r.put("destination", "/other/missing/x"));
        assertRejected("invalid_path", r -> r.put("source", "/long").put("destination", "/other/" + "n".repeat(3_700)));
    }

    /**
     * Applies {@code change} to a request that renames {@code /file} to {@code /new}. Sends the request, and asserts
     * that the worker rejects the request.
     */
    private static void assertRejected(String reason, Consumer<ObjectNode> change) {
        SortedMap<String, String> before = tree.paths();
        String id = UUID.randomUUID().toString();
        ObjectNode request = Es.JSON
                .createObjectNode()
                .put("request_id", id)
                .put("namespace", tree.name())
                .put("source", "/file")
                .put("destination", "/new");
        change.accept(request);
        sent++;
        log.send(sent % 8, Es.ascii(request));

        JsonNode outcome = log.outcome(id);

        assertThat(outcome.path("status").asText()).as(outcome.toString()).isEqualTo("rejected");
        assertThat(outcome.path("reason").asText()).as(outcome.toString()).isEqualTo(reason);
        assertThat(outcome.path("message").asText()).isNotEmpty();
        assertThat(outcome.path("committed_at").isNull()).isTrue();
        assertThat(outcome.path("moved").asInt()).isZero();
        assertThat(tree.paths()).isEqualTo(before);
        assertThat(Es.control("lock"))
                .filteredOn(lock -> lock.path("namespace").asText().equals(tree.name()))
                .allMatch(lock ->
                        lock.path("holds").isEmpty() && lock.path("claims").isEmpty());
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> Es.entry(id).orElseThrow().path("state").asText().equals("closed"));
    }
}
