package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.lock.Age;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;
import org.treerename.rename.Journal;
import org.treerename.rename.LocksContract;
import org.treerename.store.Versioned;

class ElasticLocksIT extends LocksContract {

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

    /** What is stored to search by repeats what the maps say. */
    @Override
    protected Optional<LockDocument> stored(Path path) {
        Optional<LockDocument> read = super.stored(path);
        Optional<JsonNode> raw =
                RealElastic.CONTROL.read(LockJson.id(namespace, path)).map(Versioned::value);
        assertThat(raw.isPresent()).isEqualTo(read.isPresent());
        if (raw.isPresent() && read.isPresent()) {
            assertThat(lockCount(raw.get())).isEqualTo(read.get().holds().size());
            assertThat(texts(raw.get(), "hold_ids"))
                    .isEqualTo(read.get().holds().keySet());
            assertThat(texts(raw.get(), "claim_ids"))
                    .isEqualTo(read.get().claims().keySet());
            assertThat(texts(raw.get(), "process_ids")).isEqualTo(processes(read.get()));
            assertThat(raw.get().path("lock_type").textValue()).isEqualTo(lockType(read.get()));
            assertThat(List.of(
                            raw.get().path("kind").asText(),
                            raw.get().path("namespace").asText()))
                    .containsExactly("lock", namespace);
        }
        return read;
    }

    private static int lockCount(JsonNode raw) {
        return raw.required("lock_count").intValue();
    }

    private static Set<String> texts(JsonNode raw, String field) {
        Set<String> texts = new TreeSet<>();
        raw.required(field).forEach(text -> texts.add(text.textValue()));
        return texts;
    }

    private static Set<String> processes(LockDocument lock) {
        Set<String> processes = new TreeSet<>();
        lock.holds().values().forEach(held -> processes.add(held.hold().processId()));
        return processes;
    }

    private static @Nullable String lockType(LockDocument lock) {
        if (lock.holds().isEmpty()) {
            return null;
        }
        return lock.holds().values().stream().anyMatch(held -> held.mode() == LockMode.EXCLUSIVE)
                ? "exclusive"
                : "shared";
    }

    @Test
    void what_several_do_to_one_lock_in_one_request_is_answered_to_each_of_them() {
        Path path = new Path("/shared");
        List<Bulk> asking = List.of(
                asking(LockUpdate.acquire(namespace, path, LockMode.SHARED, hold("h1", 1))),
                asking(LockUpdate.acquire(namespace, path, LockMode.EXCLUSIVE, hold("h2", 2))),
                asking(
                        LockUpdate.acquire(namespace, new Path("/other"), LockMode.EXCLUSIVE, hold("h3", 1)),
                        LockUpdate.acquire(namespace, path, LockMode.SHARED, hold("h3", 1))),
                asking(LockUpdate.acquire(namespace, path, LockMode.SHARED, hold("h4", 3))));

        List<List<Bulk.Item>> answers = Bulk.send(asking, RealElastic.ELASTIC, "/" + ControlIndex.NAME + "/_bulk");

        LockDocument shared = stored(path).orElseThrow();
        assertThat(shared.holds().keySet()).containsExactly("h1", "h3");
        assertThat(shared.claims().keySet())
                .as("the exclusive one, and the shared one that is younger than that")
                .containsExactly("r-h2", "r-h4");
        assertThat(answers).extracting(List::size).containsExactly(1, 1, 2, 1);
        for (List<Bulk.Item> answer : answers) {
            assertThat(LockJson.read(answer.getLast().source())).isEqualTo(shared);
        }
        assertThat(LockJson.read(answers.get(2).getFirst().source()).path()).isEqualTo(new Path("/other"));

        LockUpdate first = LockUpdate.release(namespace, path, Release.ofRequest("r-h1", Set.of("h1")));
        LockUpdate second = LockUpdate.release(namespace, path, Release.ofRequest("r-h2", Set.of("h2")));
        LockUpdate taken = LockUpdate.acquire(namespace, path, LockMode.SHARED, hold("h4", 3));
        Bulk.send(
                List.of(asking(taken), asking(first), asking(second)),
                RealElastic.ELASTIC,
                "/" + ControlIndex.NAME + "/_bulk");

        assertThat(stored(path).orElseThrow().holds().keySet())
                .as("what is given back in a request can be taken in the same one")
                .containsExactly("h3", "h4");
    }

    private static Hold hold(String holdId, long age) {
        return new Hold(holdId, "worker-1", new Age(age, "r-" + holdId));
    }

    private static Bulk asking(LockUpdate... updates) {
        Bulk bulk = new Bulk();
        List.of(updates).forEach(bulk::lock);
        return bulk;
    }
}
