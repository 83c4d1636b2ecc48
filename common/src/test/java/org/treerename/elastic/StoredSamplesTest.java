package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessId;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.store.DamagedException;
import org.treerename.store.LaterFormatException;

/**
 * Tests that this version can read the documents that processes of protocol 1 have stored. Also tests that no field is
 * lost when this version writes the documents again. The samples in {@code samples/} are never changed. If a later
 * format has more fields, it gets its own samples.
 */
class StoredSamplesTest {

    static JsonNode sample(String name) {
        try (InputStream in = StoredSamplesTest.class.getResourceAsStream("/samples/" + name + ".json")) {
            return Json.read(Objects.requireNonNull(in, name).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode stored(JournalEntry entry) {
        return Json.read(EntryJson.write(entry).toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void assertKept(JsonNode before, JsonNode after, String at) {
        if (!before.isObject()) {
            assertThat(after).as(at).isEqualTo(before);
            return;
        }
        before.properties()
                .forEach(field -> assertKept(field.getValue(), after.path(field.getKey()), at + "." + field.getKey()));
    }

    @ParameterizedTest
    @EnumSource
    void reads_and_writes_an_entry_in_each_state_without_a_loss(State state) {
        JsonNode sample = sample(
                state == State.HELD
                        ? "entry-of-a-writer"
                        : "entry-" + state.name().toLowerCase(Locale.ROOT));

        JournalEntry entry = EntryJson.read(sample);

        assertThat(entry.state()).isEqualTo(state);
        assertKept(sample, stored(entry), "entry");
    }

    @Test
    void reads_and_writes_the_entry_of_an_invalid_request_without_a_loss() {
        JsonNode sample = sample("entry-of-an-invalid-request");

        JournalEntry entry = EntryJson.read(sample);

        assertThat(entry.request()).isNull();
        assertKept(sample, stored(entry), "entry");
    }

    @Test
    void reads_and_writes_the_document_at_the_source_without_a_loss() {
        JsonNode sample = sample("entry-of-a-source-id");

        JournalEntry entry = EntryJson.read(sample);

        assertThat(entry.request()).isNotNull().returns("b", RenameRequest::sourceId);
        assertThat(entry.decided())
                .hasValueSatisfying(decision -> assertThat(decision.ownId()).isEqualTo("b"));
        assertKept(sample, stored(entry), "entry");
    }

    @Test
    void a_decided_entry_has_all_data_for_its_roll_forward() {
        JournalEntry entry = EntryJson.read(sample("entry-moving"));

        assertThat(entry.decided()).hasValueSatisfying(decision -> {
            assertThat(decision.indices()).containsExactly(Map.entry("files-1", "Vd3vT5eSQ3m8n1b6Jr0x2A"));
            assertThat(decision.removals()).singleElement().satisfies(ref -> {
                assertThat(ref.id()).isEqualTo("c");
                assertThat(ref.routing()).isEqualTo("k");
                assertThat(ref.version().seqNo()).isEqualTo(17);
                assertThat(ref.version().primaryTerm()).isEqualTo(2);
            });
        });
        assertThat(entry.ownership().epoch()).isEqualTo(1);
        assertThat(entry.ownership().holdId()).isEqualTo("hold-4f8e");
    }

    @ParameterizedTest
    @CsvSource({
        "moving, decision",
        "parked, decision",
        "parked, parking",
        "done, decision",
        "done, outcome",
        "failed, outcome"
    })
    void refuses_an_entry_without_the_data_of_its_state(String state, String field) {
        ObjectNode damaged = sample("entry-" + state).deepCopy();
        damaged.putNull(field);

        assertThatThrownBy(() -> EntryJson.read(damaged)).isInstanceOf(DamagedException.class);
    }

    private static final String WORKER = "worker-0b0e9c2e-6d1b-4a3e-9d53-5b1f0a6b7c11";

    private static Held held(String holdId, LockPriority age, Map<TreePath, LockMode> paths) {
        return new Held(new Hold(holdId, WORKER, age), new TreeMap<>(paths));
    }

    @Test
    void reads_a_lock_table_with_its_holds_and_claims() {
        JsonNode sample = sample("lock-table");
        TreeMap<String, Held> holds = new TreeMap<>(Map.of(
                "hold-4f8e",
                held(
                        "hold-4f8e",
                        new LockPriority(1_772_359_200_123L, "r-1"),
                        Map.of(new TreePath("/a/b"), LockMode.EXCLUSIVE, new TreePath("/a/c"), LockMode.EXCLUSIVE)),
                "hold-51aa",
                held(
                        "hold-51aa",
                        new LockPriority(1_772_359_200_456L, "w-1"),
                        Map.of(new TreePath("/a"), LockMode.SHARED))));
        Claim claim = new Claim(
                new LockPriority(1_772_359_200_789L, "r-3"),
                new TreeMap<>(Map.of(new TreePath("/a"), LockMode.EXCLUSIVE, new TreePath("/a/d"), LockMode.SHARED)));

        assertThat(LockJson.read(sample))
                .isEqualTo(new LockTable(
                        LockTable.Id.of("files", new TreePath("/a")),
                        holds,
                        new TreeMap<>(Map.of("r-3", claim)),
                        new LockTable.Releases(34, List.of("r-0", "w-0"))));
        assertThat(LockJson.contradictions(sample)).isEmpty();
    }

    @Test
    void reads_the_lock_of_a_document_with_its_holds_and_claims() {
        JsonNode sample = sample("lock-of-a-document");
        Map<TreePath, LockMode> exclusive = Map.of(new TreePath("/a"), LockMode.EXCLUSIVE);
        Claim claim = new Claim(new LockPriority(1_772_359_200_789L, "r-3"), new TreeMap<>(exclusive));

        assertThat(LockJson.read(sample))
                .isEqualTo(new LockTable(
                        ofDocument("/a"),
                        new TreeMap<>(Map.of(
                                "hold-4f8e",
                                held("hold-4f8e", new LockPriority(1_772_359_200_123L, "r-1"), exclusive))),
                        new TreeMap<>(Map.of("r-3", claim))));
        assertThat(LockJson.contradictions(sample)).isEmpty();
    }

    private static LockTable.Id ofDocument(String path) {
        return LockSet.documents("files", List.of(new TreePath(path))).parts().firstKey();
    }

    /** If two processes computed different ids for one table, both could acquire the same lock. */
    @Test
    void the_ids_of_lock_tables_never_change() {
        assertThat(LockJson.id(LockTable.Id.of("files", new TreePath("/a")))).isEqualTo("locks:files:02");
        assertThat(LockJson.id(LockTable.Id.of("files", new TreePath("/projects/x"))))
                .isEqualTo("locks:files:09");
        assertThat(LockJson.id(LockTable.Id.of("files", new TreePath("/Überschrift"))))
                .isEqualTo("locks:files:11");
        assertThat(LockJson.id(LockTable.Id.of("files", TreePath.ROOT))).isEqualTo("locks:files:root");
        assertThat(LockJson.id(ofDocument("/a")))
                .isEqualTo("lock:3df45464625784ef9d86c8f167d70be7ffb7a58fefb406b6bfff290c7dc70294");
    }

    @Test
    void the_meaning_of_a_definition_never_changes() {
        JsonNode sample = sample("namespace");
        JsonNode written = NamespaceJson.write(Namespace.ofFiles("files", "files"));

        assertThat(NamespaceJson.read(sample)).isEqualTo(Namespace.ofFiles("files", "files"));
        // a process compares this digest to check whether another process has the same definition
        assertThat(written.path("digest").asText())
                .isEqualTo("5440fc1f4b2dcc4be8f2d958a296227001956aca802720fcaa43eb8bb10fff90");
    }

    @ParameterizedTest
    @ValueSource(strings = {"entry-moving", "lock-table", "lock-of-a-document", "namespace"})
    void refuses_a_document_of_a_later_protocol(String name) {
        ObjectNode later = sample(name).deepCopy();
        later.put("protocol", ControlIndex.PROTOCOL + 1);

        assertThatThrownBy(() -> {
                    switch (name) {
                        case "namespace" -> NamespaceJson.read(later);
                        case "entry-moving" -> EntryJson.read(later);
                        default -> LockJson.read(later);
                    }
                })
                .isInstanceOf(LaterFormatException.class);
    }

    @Test
    void refuses_a_process_and_a_watermark_of_a_later_protocol() {
        ObjectNode later = Json.object().put("protocol", ControlIndex.PROTOCOL + 1);
        GoodNode node = new GoodNode(Map.of("process:worker-1", later, "watermark:requests", later), false);

        try (StubNode stub = StubNode.answering(node);
                Elastic elastic = Elastic.connect(Elastic.Settings.of(stub.url(), Duration.ofSeconds(10)))) {
            ControlIndex control = new ControlIndex(elastic);
            assertThatThrownBy(() -> new ElasticProcessStore(control).read(new ProcessId("worker-1")))
                    .isInstanceOf(LaterFormatException.class)
                    .hasMessageContaining("this process knows only protocol " + ControlIndex.PROTOCOL);
            assertThatThrownBy(() -> new ElasticWatermark(control).confirmed())
                    .isInstanceOf(LaterFormatException.class)
                    .hasMessageContaining("this process knows only protocol " + ControlIndex.PROTOCOL);
        }
    }
}
