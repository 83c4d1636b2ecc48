package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalContract;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.store.RefusedException;

class ElasticJournalIT extends JournalContract {

    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);

    @Override
    protected Journal journal() {
        return journal;
    }

    @Test
    void a_search_skips_an_entry_of_a_later_protocol_and_finds_the_others() {
        String later = "later-" + UUID.randomUUID();
        String known = "known-" + UUID.randomUUID();
        ObjectNode json = (ObjectNode) EntryJson.write(entry(later));
        json.put("protocol", ControlIndex.PROTOCOL + 1).remove("place");
        RealElastic.CONTROL.create(EntryJson.id(later), json);
        journal.create(JournalStep.ATTEMPT, entry(known));

        try {
            assertThat(journal.in(Set.of(State.RETRY))).contains(later, known);
            assertThat(journal.olderThan(State.RETRY, Instant.ofEpochSecond(1), 1_000))
                    .extracting(found -> found.value().requestId())
                    .contains(known)
                    .doesNotContain(later);
            assertThatThrownBy(() -> journal.read(later)).isInstanceOf(RefusedException.class);
        } finally {
            RealElastic.CONTROL
                    .read(EntryJson.id(later))
                    .ifPresent(found -> RealElastic.CONTROL.delete(EntryJson.id(later), found.version()));
        }
    }

    private static JournalEntry entry(String requestId) {
        return TestEntry.of(requestId).in(State.RETRY).build();
    }
}
