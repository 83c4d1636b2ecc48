package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.journal.Deliveries;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.rename.Renamer;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RefusingTreeStore;

/** Tests renames of documents whose versions an external system sets. */
class ExternalVersionsTest {

    private static final String INDEX = "rows-1";
    private static final Namespace ROWS = rows("rows", VersionOwner.EXTERNAL, null);
    private static final Namespace ROWS_GTE = rows("rows-gte", VersionOwner.EXTERNAL_GTE, null);
    private static final Namespace SAYING = rows("saying", VersionOwner.EXTERNAL_GTE, "row");

    private final World world = new World();

    private static Namespace rows(String name, VersionOwner owner, @Nullable String field) {
        Rules rules = new Rules(Granularity.TREE, 1, owner, field, 0);
        return new Namespace(
                name, name, Notation.SLASHES, Fields.of("path", "parent", "name"), World.FILES.directories(), rules);
    }

    @BeforeEach
    void define() {
        world.tree.createIndex(INDEX);
        for (Namespace namespace : List.of(ROWS, ROWS_GTE, SAYING)) {
            world.tree.alias(namespace.index(), INDEX);
            world.namespaces.define(namespace);
        }
    }

    private void put(String id, String path, String type, long version) {
        TreePath at = new TreePath(path);
        String source = "{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\"}"
                .formatted(at, at.parent(), at.name(), type);
        world.tree.put(INDEX, id, null, source, version);
    }

    /** Writes {@code /a} and its two files with the versions 1, 2 and 3, and {@code /c} with version 4. */
    private void putTree() {
        put("a", "/a", "directory", 1);
        put("a1", "/a/1", "file", 2);
        put("a2", "/a/2", "file", 3);
        put("c", "/c", "directory", 4);
    }

    private Outcome run(ParsedRequest.RenameRequest request) {
        world.renamer().run(Deliveries.of(request));
        return world.outcome(request.requestId());
    }

    private Outcome run(Namespace namespace, long version) {
        return run(Deliveries.rename("r1", namespace.name(), "/a", "/b").withVersion(version));
    }

    private String stored(String id) {
        Document document = world.tree.document(INDEX, id).orElseThrow();
        return PathFields.path(ROWS, document.source()).orElseThrow() + " in "
                + document.ref().external();
    }

    private Map<String, String> stored() {
        return Map.of("a", stored("a"), "a1", stored("a1"), "a2", stored("a2"), "c", stored("c"));
    }

    @Test
    void writes_every_document_in_the_version_of_the_request() {
        putTree();

        Outcome outcome = run(ROWS, 7);

        assertThat(stored()).isEqualTo(Map.of("a", "/b in 7", "a1", "/b/1 in 7", "a2", "/b/2 in 7", "c", "/c in 4"));
        assertThat(outcome)
                .returns(3L, Outcome::moved)
                .returns(0L, Outcome::refused)
                .returns(null, Outcome::reason)
                .returns("renamed /a to /b", Outcome::message);
        world.assertQuiet();
    }

    @Test
    void external_keeps_a_document_in_the_version_of_the_request_and_external_gte_moves_it() {
        putTree();

        assertThat(run(ROWS, 3))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(Reason.OLDER_VERSION, Outcome::reason)
                .returns(2L, Outcome::moved)
                .returns(1L, Outcome::refused)
                .returns(
                        "renamed /a to /b; documents that stay at the source because of a newer version: 1",
                        Outcome::message);
        assertThat(stored()).isEqualTo(Map.of("a", "/b in 3", "a1", "/b/1 in 3", "a2", "/a/2 in 3", "c", "/c in 4"));

        Outcome second =
                run(Deliveries.rename("r2", ROWS_GTE.name(), "/a", "/c/a").withVersion(3));
        assertThat(second).returns(1L, Outcome::moved).returns(0L, Outcome::refused);
        assertThat(stored("a2")).isEqualTo("/c/a/2 in 3");
        world.assertQuiet();
    }

    @Test
    void newer_documents_need_no_more_passes_and_no_write() {
        putTree();
        for (int i = 10; i < 20; i++) {
            put("n" + i, "/a/" + i, "file", i);
        }

        Outcome outcome = run(ROWS, 7);

        assertThat(outcome).returns(3L, Outcome::moved).returns(10L, Outcome::refused);
        assertThat(world.calls.made())
                .filteredOn(
                        call -> call.name().equals("tree.open") || call.name().equals("tree.scan"))
                .hasSize(2);
        assertThat(world.entry("r1").progress().passes()).isEqualTo(2);
        assertThat(stored("n10")).isEqualTo("/a/10 in 10");
        world.assertQuiet();
    }

    @Test
    void counts_no_move_as_refused_if_its_answer_was_lost() {
        putTree();
        world.calls.interfere(Interference.after("tree.move", 2, () -> {
            throw new NoAnswerException("no answer", null);
        }));

        Outcome outcome = run(ROWS, 7);

        assertThat(stored("a1")).isEqualTo("/b/1 in 7");
        assertThat(outcome).returns(0L, Outcome::refused).returns(null, Outcome::reason);
        world.assertQuiet();
    }

    @Test
    void moves_no_document_that_becomes_newer_before_its_move() {
        putTree();
        world.calls.interfere(Interference.before("tree.move", 2, () -> put("a1", "/a/1", "file", 9)));

        Outcome outcome = run(ROWS, 7);

        assertThat(stored()).isEqualTo(Map.of("a", "/b in 7", "a1", "/a/1 in 9", "a2", "/b/2 in 7", "c", "/c in 4"));
        assertThat(outcome).returns(2L, Outcome::moved).returns(1L, Outcome::refused);
        world.assertQuiet();
    }

    @Test
    void rejects_a_request_older_than_the_document_at_its_source() {
        putTree();
        put("a", "/a", "directory", 9);

        Outcome outcome = run(ROWS, 7);

        assertThat(outcome)
                .returns(Status.REJECTED, Outcome::status)
                .returns(Reason.OLDER_VERSION, Outcome::reason)
                .returns("the document at /a has a newer version than the request", Outcome::message);
        assertThat(stored()).isEqualTo(Map.of("a", "/a in 9", "a1", "/a/1 in 2", "a2", "/a/2 in 3", "c", "/c in 4"));
        world.assertQuiet();
    }

    @Test
    void rejects_a_request_older_than_the_document_that_it_replaces() {
        putTree();

        Outcome outcome = run(Deliveries.replace("r1", ROWS.name(), "/a", "/c").withVersion(4));

        assertThat(outcome)
                .returns(Reason.OLDER_VERSION, Outcome::reason)
                .returns("the document at /c has a newer version than the request", Outcome::message);
        assertThat(stored("c")).isEqualTo("/c in 4");
        assertThat(run(Deliveries.replace("r2", ROWS_GTE.name(), "/a", "/c").withVersion(4)))
                .returns(Status.COMPLETED, Outcome::status);
        assertThat(world.tree.document(INDEX, "c")).isEmpty();
        assertThat(stored("a")).isEqualTo("/c in 4");
        world.assertQuiet();
    }

    @Test
    void removes_no_document_that_becomes_newer_before_its_removal() {
        putTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> put("c", "/c", "directory", 8)));

        Outcome outcome = run(Deliveries.replace("r1", ROWS.name(), "/a", "/c").withVersion(7));

        assertThat(stored()).isEqualTo(Map.of("a", "/c in 7", "a1", "/c/1 in 7", "a2", "/c/2 in 7", "c", "/c in 8"));
        assertThat(outcome).returns(3L, Outcome::moved).returns(1L, Outcome::refused);
        world.assertQuiet();
    }

    @Test
    void replaces_a_document_that_is_edited_in_an_older_version() {
        putTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> put("c", "/c", "directory", 5)));

        run(Deliveries.replace("r1", ROWS.name(), "/a", "/c").withVersion(7));

        assertThat(world.tree.document(INDEX, "c")).isEmpty();
        world.assertQuiet();
    }

    @Test
    void roll_forward_writes_in_the_version_of_the_request() {
        putTree();
        put("n", "/a/n", "file", 9);
        world.process("worker-1", ProcessState.LIVE);
        world.calls.interfere(Interference.after("tree.move", 2, () -> {
            throw new AssertionError("dead");
        }));
        try {
            run(ROWS, 7);
        } catch (AssertionError dead) {
            world.calls.interfere(Interference.none());
        }
        world.process("worker-1", ProcessState.FENCED);

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.CLOSED);

        assertThat(stored()).isEqualTo(Map.of("a", "/b in 7", "a1", "/b/1 in 7", "a2", "/b/2 in 7", "c", "/c in 4"));
        assertThat(world.outcome("r1")).returns(1L, Outcome::refused).returns(true, Outcome::rolledForward);
        world.assertQuiet();
    }

    private void putSaying(String id, String path, String row, long version) {
        world.tree.put(INDEX, id, null, "{\"path\":\"" + path + "\",\"row\":" + row + "}", version);
    }

    @Test
    void each_document_keeps_its_version_if_documents_contain_their_version() {
        putSaying("1", "/a/1", "5", 5);
        putSaying("2", "/a/2", "6", 6);
        putSaying("3", "/a/3", "7", 8);

        Outcome outcome = run(Deliveries.rename("r1", SAYING.name(), "/a", "/b"));

        assertThat(List.of(stored("1"), stored("2"), stored("3")))
                .containsExactly("/b/1 in 5", "/b/2 in 6", "/a/3 in 8");
        assertThat(outcome).returns(2L, Outcome::moved).returns(1L, Outcome::refused);
    }

    @Test
    void rejects_the_rename_if_a_document_does_not_contain_its_version() {
        putSaying("1", "/a/1", "\"5\"", 5);
        putSaying("2", "/a/2", "6", 6);

        Outcome outcome = run(Deliveries.rename("r1", SAYING.name(), "/a", "/b"));

        assertThat(outcome.reason()).isEqualTo(Reason.NOT_MOVABLE);
        assertThat(outcome.message()).contains("1: its field row contains no version");
        assertThat(List.of(stored("1"), stored("2"))).containsExactly("/a/1 in 5", "/a/2 in 6");
    }

    @ParameterizedTest
    @CsvSource({"rows, 0, a1 in 7", "rows-gte, 2, a1 in 2"})
    void an_abandonment_seals_documents_only_if_a_late_move_in_the_same_version_is_refused(
            String namespace, int unsealed, String expected) {
        putTree();
        RefusingTreeStore refusing = new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("a1"));
        new Renamer(world.stores(refusing), world.context("worker-1"))
                .run(Deliveries.of(
                        Deliveries.rename("r1", namespace, "/a", "/b").withVersion(7)));

        Unmoved sealed = new Abandonment(
                        world.journal, world.namespaces, world.tree, world.time, Backoff.Factory.jittered(world.time))
                .seal("r1")
                .orElseThrow();

        assertThat(sealed).returns(2L, Unmoved::documents).returns((long) unsealed, Unmoved::unsealed);
        assertThat(stored("a1")).isEqualTo(expected.replace("a1", "/a/1"));
    }
}
