package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockStore;
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
}
