package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.process.ProcessState;
import org.treerename.producer.writer.WriteLocks;
import org.treerename.producer.writer.WriteLocks.Taken;
import org.treerename.rename.Acquisition;
import org.treerename.rename.LockWatch;
import org.treerename.rename.Renamer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.tree.Rename;

/** Tests renames in a namespace whose paths are written with dots and quotes. */
class NotationOfRenamesTest {

    private static final Notation DOTS = new Notation(".", false, true);
    private static final Namespace TERMS = new Namespace(
            "terms",
            "terms-1",
            DOTS,
            new Fields("fqn", Fields.Holds.PATH, null, "name", null, null, List.of("tags")),
            null,
            Rules.DEFAULT);

    private final World world = new World();

    @BeforeEach
    void terms() {
        world.tree.createIndex("terms-1");
        world.namespaces.define(TERMS);
        put("1", "a", "a");
        put("2", "a.b", "b");
        put("3", "a.\\\"b.c\\\"", "b.c");
        put("4", "ab", "ab");
        put("5", "\\\"a.b\\\".c", "c");
    }

    private void put(String id, String fqn, String name) {
        world.tree.put(
                "terms-1", id, null, "{\"fqn\":\"%s\",\"name\":\"%s\",\"tags\":[\"a.b\",\"ab\"]}".formatted(fqn, name));
    }

    private Outcome run(String id, String source, String destination) {
        Renamer.Answer answer = world.renamer().run(Deliveries.of(Deliveries.rename(id, "terms", source, destination)));
        return OutcomeCodec.decode(((Renamer.Answer.Published) answer).outcome());
    }

    @Test
    void moves_a_directory_with_all_documents_below_and_no_document_with_a_similar_path() {
        Outcome outcome = run("r1", "a", "x.\"y.z\"");

        assertThat(outcome.status()).isEqualTo(Status.COMPLETED);
        assertThat(outcome.moved()).isEqualTo(3);
        assertThat(world.tree.paths(TERMS))
                .isEqualTo(Map.of(
                        "1", "x.\"y.z\"",
                        "2", "x.\"y.z\".b",
                        "3", "x.\"y.z\".\"b.c\"",
                        "4", "ab",
                        "5", "\"a.b\".c"));
        assertThat(world.tree.document("terms-1", "3").orElseThrow().source().toString())
                .endsWith("\"name\":\"b.c\",\"tags\":[\"x.\\\"y.z\\\".b\",\"ab\"]}");
        assertThat(world.tree.document("terms-1", "4").orElseThrow().source().toString())
                .as("a document that does not move")
                .endsWith("\"tags\":[\"a.b\",\"ab\"]}");
        assertThat(world.locks.all()).isEmpty();
    }

    @Test
    void rejects_a_path_in_another_notation() {
        assertThat(run("r1", "/a", "/b").reason()).isEqualTo(Reason.SOURCE_NOT_FOUND);
        assertThat(run("r2", "a.", "b").reason()).isEqualTo(Reason.INVALID_PATH);
        assertThat(run("r3", "\"a\"", "b").reason()).isEqualTo(Reason.INVALID_PATH);
        assertThat(run("r4", "", "b").reason()).isEqualTo(Reason.INVALID_PATH);
        assertThat(run("r5", "a", "").reason()).isEqualTo(Reason.DESTINATION_EXISTS);
        assertThat(run("r6", "a", "a.q").reason()).isEqualTo(Reason.INTO_ITSELF);
    }

    @Test
    void locks_paths_in_the_notation_and_a_janitor_releases_them() {
        Delivery delivery = Deliveries.of(Deliveries.rename("r1", "terms", "a.\"b.c\"", "p.q.r"));
        new Acquisition(
                        world.stores(),
                        new LockWatch(world.locks),
                        world.context("worker-1"),
                        delivery,
                        new Rename("r1", TERMS, DOTS.path("a.\"b.c\""), DOTS.path("p.q.r"), OnExisting.FAIL).lockSet())
                .acquire(Optional.empty());
        assertThat(world.heldPaths()).containsExactly("a.\"b.c\"", "p.q.r");

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.RELEASED);

        assertThat(world.locks.all()).isEmpty();
    }

    private Taken write(String directory) {
        return new WriteLocks(world.stores(), world.context("writer-1"))
                .take(new WriteTarget("terms", List.of(directory)), World.LOCK_WAIT, world.stop);
    }

    @Test
    void a_writer_locks_paths_in_the_notation_and_releases_them_like_a_janitor() {
        Taken.Held held = (Taken.Held) write("a.\"b.c\"");
        assertThat(world.heldPaths()).containsExactly("a.\"b.c\"");

        new WriteLocks(world.stores(), world.context("writer-1")).release(held.entry());
        assertThat(world.locks.all()).isEmpty();

        Taken.Held left = (Taken.Held) write("a.b");
        world.process("writer-1", ProcessState.STOPPED);
        assertThat(world.rollForward("janitor-1").ofDead(left.entry().value().requestId()))
                .isEqualTo(RollForward.Result.CLOSED);
        assertThat(world.locks.all()).isEmpty();
    }

    @Test
    void refuses_a_writer_with_a_path_in_another_notation_or_an_unknown_namespace() {
        assertThatThrownBy(() -> write("a."))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a path must not end with \".\", found \"a.\"");
        assertThatThrownBy(() -> new WriteLocks(world.stores(), world.context("writer-1"))
                        .take(new WriteTarget("others", List.of("/a")), World.LOCK_WAIT, world.stop))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no namespace is called \"others\"; correct the name, or define the namespace with"
                        + " rename-admin namespaces define");
        assertThat(world.calls.made()).isEmpty();
    }

    @Test
    void closes_the_entry_of_a_writer_after_its_namespace_was_removed() {
        Taken.Held held = (Taken.Held) write("a.b");
        String requestId = held.entry().value().requestId();
        world.process("writer-1", ProcessState.STOPPED);
        world.namespaces.remove("terms");

        assertThat(world.rollForward("janitor-1").ofDead(requestId)).isEqualTo(RollForward.Result.CLOSED);

        assertThat(world.entry(requestId).state()).isEqualTo(State.CLOSED);
        world.sweep("janitor-1").sweep();
        assertThat(world.locks.all()).isEmpty();
    }
}
