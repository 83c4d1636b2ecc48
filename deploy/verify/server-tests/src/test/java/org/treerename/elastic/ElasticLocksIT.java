package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.LocksContract;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.store.LaterFormatException;
import org.treerename.store.Versioned;

class ElasticLocksIT extends LocksContract {

    private static final TreePath SHARED = new TreePath("/shared");
    private static final TreePath OTHER = new TreePath("/other");

    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);
    private final ElasticLockStore locks = new ElasticLockStore(RealElastic.CONTROL);

    @Override
    protected Journal journal() {
        return journal;
    }

    @Override
    protected LockStore locks() {
        return locks;
    }

    private static Hold hold(String holdId, long age) {
        return new Hold(holdId, "worker-1", new LockPriority(age, "r-" + holdId));
    }

    private LockUpdate acquire(TreePath path, LockMode mode, Hold hold) {
        return LockUpdate.acquire(LockTable.Id.of(namespace, path), new TreeMap<>(Map.of(path, mode)), hold);
    }

    private static Bulk bulk(LockUpdate... updates) {
        Bulk bulk = new Bulk();
        List.of(updates).forEach(bulk::lock);
        return bulk;
    }

    /** Sends the bulks in one request. Returns the items of each bulk. */
    private static List<List<Bulk.Item>> send(Bulk... bulks) {
        return Bulk.send(List.of(bulks), RealElastic.ELASTIC, "/" + Installation.DEFAULT.controlIndex() + "/_bulk");
    }

    private static Optional<JsonNode> raw(LockTable.Id table) {
        return RealElastic.CONTROL.read(LockJson.id(table)).map(Versioned::value);
    }

    private LockTable table(TreePath path) {
        return locks.read(List.of(LockTable.Id.of(namespace, path))).getFirst();
    }

    @Test
    void answers_each_of_several_attempts_at_one_table_in_one_request() {
        assertThat(LockTable.Id.of(namespace, OTHER)).isNotEqualTo(LockTable.Id.of(namespace, SHARED));

        List<List<Bulk.Item>> answers = send(
                bulk(acquire(SHARED, LockMode.SHARED, hold("h1", 1))),
                bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h2", 2))),
                bulk(
                        acquire(OTHER, LockMode.EXCLUSIVE, hold("h3", 1)),
                        acquire(SHARED, LockMode.SHARED, hold("h3", 1))),
                bulk(acquire(SHARED, LockMode.SHARED, hold("h4", 3))));

        assertThat(table(SHARED).holds()).containsOnlyKeys("h1", "h3");
        assertThat(table(SHARED).claims().keySet())
                .as("claims of the exclusive attempt, and of the younger shared attempt")
                .containsExactly("r-h2", "r-h4");
        assertThat(table(OTHER).holds()).containsOnlyKeys("h3");
        assertThat(answers).extracting(List::size).containsExactly(1, 1, 2, 1);
        assertThat(holdsIn(answers.get(0).getLast())).containsExactly("h1", "h3");
        assertThat(holdsIn(answers.get(1).getLast())).doesNotContain("h2");
        assertThat(holdsIn(answers.get(2).getFirst())).containsExactly("h3");
        assertThat(holdsIn(answers.get(2).getLast())).contains("h3");
        assertThat(holdsIn(answers.get(3).getLast())).doesNotContain("h4");
    }

    private static List<String> holdsIn(Bulk.Item item) {
        assertThat(item.source().isObject()).isTrue();
        return item.source()
                .path("holds")
                .propertyStream()
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** A later version may have another rule for conflicts, so that two versions could grant conflicting locks. */
    @Test
    void a_table_of_a_later_format_refuses_every_change_and_every_read() {
        LockTable.Id id = LockTable.Id.of(namespace, SHARED);
        send(bulk(acquire(SHARED, LockMode.SHARED, hold("h1", 1))));
        int known = raw(id).orElseThrow().path("protocol").asInt();
        ObjectNode later = raw(id).orElseThrow().deepCopy();
        later.put("protocol", known + 1);
        Versioned<JsonNode> before = RealElastic.CONTROL.read(LockJson.id(id)).orElseThrow();
        RealElastic.CONTROL.write(LockJson.id(id), before.version(), later);
        Versioned<JsonNode> stored = RealElastic.CONTROL.read(LockJson.id(id)).orElseThrow();
        JournalEntry entry = JournalEntry.placeholder("r-h2" + namespace, "worker-1", Instant.EPOCH);
        Attempt attempt = new Attempt(
                JournalStep.ATTEMPT,
                entry,
                null,
                "h1",
                hold("h2", 2),
                LockSet.tree(namespace, SHARED, SHARED.child("x")));

        try {
            assertThatThrownBy(() -> journal.prepare(attempt)).isInstanceOf(LaterFormatException.class);
            assertThatThrownBy(() -> locks.release(List.of(id), Release.ofHold("h1")))
                    .isInstanceOf(LaterFormatException.class);
            assertThatThrownBy(() -> table(SHARED)).isInstanceOf(LaterFormatException.class);
            assertThat(known).isEqualTo(ControlIndex.PROTOCOL);
            assertThat(RealElastic.CONTROL.read(LockJson.id(id))).contains(stored);
        } finally {
            RealElastic.CONTROL.delete(LockJson.id(id), stored.version());
        }
    }

    @Test
    void grants_locks_that_the_same_request_releases() {
        send(bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h1", 1))));
        send(bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h2", 2))));
        LockTable.Id table = LockTable.Id.of(namespace, SHARED);

        send(
                bulk(acquire(SHARED, LockMode.SHARED, hold("h3", 3))),
                bulk(LockUpdate.release(table, Release.ofRequest("r-h1", Set.of("h1")))),
                bulk(LockUpdate.release(table, Release.ofRequest("r-h2", Set.of("h2")))));

        assertThat(table(SHARED).holds()).containsOnlyKeys("h3");
        assertThat(table(SHARED).claims()).isEmpty();
    }

    @Test
    void an_answer_contains_only_the_requested_holds() {
        send(bulk(acquire(SHARED, LockMode.SHARED, hold("h1", 1))));
        send(bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h2", 2))));

        Bulk.Item refused = send(bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h3", 3))))
                .getFirst()
                .getFirst();

        assertThat(refused.source()).isEqualTo(RealElastic.json("{\"protocol\": 1}"));
        assertThat(table(SHARED).claims().keySet()).containsExactly("r-h2", "r-h3");
    }

    @Test
    void stores_the_table_of_a_bucket_without_search_keys() {
        LockTable.Id table = LockTable.Id.of(namespace, SHARED);
        SortedMap<TreePath, LockMode> wanted =
                new TreeMap<>(Map.of(SHARED, LockMode.EXCLUSIVE, SHARED.child("d"), LockMode.SHARED));

        send(bulk(LockUpdate.acquire(table, wanted, hold("h1", 1))));
        send(bulk(acquire(SHARED, LockMode.SHARED, hold("h2", 2))));

        assertThat(raw(table)).contains(RealElastic.json("""
                {"kind": "lock", "protocol": 1, "namespace": "%s", "table": "%s",
                 "notation": {"separator": "/", "leading": true, "quoted": false},
                 "holds": {"h1": {"request_id": "r-h1", "process_id": "worker-1", "age_millis": 1,
                                  "x": ["/shared"], "s": ["/shared/d"]}},
                 "claims": {"r-h2": {"age_millis": 2, "x": [], "s": ["/shared"]}}}
                """.formatted(namespace, table.name())));
        assertThat(locks.contradictions()).noneMatch(words -> words.contains(namespace));
    }

    @Test
    void stores_the_table_of_a_document_with_the_ids_of_its_holds_and_claims() {
        LockSet set = LockSet.documents(namespace, List.of(SHARED));
        LockTable.Id table = set.parts().firstKey();
        send(bulk(LockUpdate.acquire(table, set.modes(), hold("h1", 1))));
        send(bulk(LockUpdate.acquire(table, set.modes(), hold("h2", 2))));

        assertThat(raw(table))
                .hasValueSatisfying(json -> assertThatObject(json)
                        .returns("/shared", j -> j.path("path").asText())
                        .returns(true, j -> j.path("table").isMissingNode())
                        .returns("[\"h1\"]", j -> j.path("hold_ids").toString())
                        .returns("[\"r-h2\"]", j -> j.path("claim_ids").toString()));

        locks.release(List.of(table), Release.ofRequest("r-h1", Set.of("h1")));

        assertThat(raw(table))
                .hasValueSatisfying(json -> assertThatObject(json)
                        .returns("[]", j -> j.path("hold_ids").toString())
                        .returns("[\"r-h2\"]", j -> j.path("claim_ids").toString()));
    }

    @Test
    void reports_search_keys_that_do_not_match_the_holds_of_the_table() {
        LockSet set = LockSet.documents(namespace, List.of(SHARED));
        LockTable.Id table = set.parts().firstKey();
        send(bulk(LockUpdate.acquire(table, set.modes(), hold("h1", 1))));

        RealElastic.RAW.post(
                "/" + Installation.DEFAULT.controlIndex() + "/_update/" + LockJson.id(table),
                RealElastic.json("{\"script\": \"ctx._source.hold_ids = ['another']\"}"));

        assertThat(locks.contradictions().stream().filter(words -> words.contains(namespace)))
                .containsExactly("the lock document of /shared in " + namespace
                        + ": expected hold_ids to be [h1], found [another]");
        locks.release(List.of(table), Release.ofHold("h1"));
    }

    @Test
    void keeps_the_table_of_a_bucket_to_count_its_releases() {
        LockTable.Id table = LockTable.Id.of(namespace, SHARED);
        send(bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h1", 1))));

        locks.release(List.of(table), Release.ofRequest("r-h1", Set.of("h1")));

        assertThat(raw(table)).contains(RealElastic.json("""
                {"kind": "lock", "protocol": 1, "namespace": "%s", "table": "%s",
                 "notation": {"separator": "/", "leading": true, "quoted": false},
                 "holds": {}, "claims": {}, "releases": 1, "released": ["r-h1"]}
                """.formatted(namespace, table.name())));
    }

    @Test
    void reads_tables_in_the_requested_order() {
        send(bulk(acquire(SHARED, LockMode.EXCLUSIVE, hold("h1", 1))));
        List<LockTable.Id> ids = LockTable.Id.all(namespace);

        assertThat(locks.read(ids)).extracting(LockTable::id).containsExactlyElementsOf(ids);
        assertThat(locks.read(List.of(LockTable.Id.of(namespace, OTHER), LockTable.Id.of(namespace, SHARED))))
                .extracting(table -> table.holds().keySet())
                .containsExactly(Set.of(), Set.of("h1"));
    }
}
