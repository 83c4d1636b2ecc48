package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.Bulk.Item;
import org.treerename.installation.Installation;
import org.treerename.store.WriteResult;

class ControlIndexIT {

    private static final String BULK = "/" + Installation.DEFAULT.controlIndex() + "/_bulk";

    private final String id = "watermark:" + UUID.randomUUID();

    private Bulk readingBeside(String entry) {
        Bulk bulk = new Bulk();
        bulk.create(entry, Json.object().put("kind", "watermark"));
        bulk.reading(id);
        return bulk;
    }

    @Test
    void accepts_the_index_that_it_created() {
        assertThat(RealElastic.CONTROL.unusable()).isEmpty();
    }

    @Test
    void reads_a_document_after_all_writes_of_the_same_request() {
        Bulk creating = new Bulk();
        creating.create(id, Json.object().put("kind", "watermark").put("offset", 7));
        List<Bulk> together = List.of(readingBeside(id + "-1"), readingBeside(id + "-2"), creating);

        List<List<Item>> answers = Bulk.send(together, RealElastic.ELASTIC, BULK);

        assertThat(answers.subList(0, 2)).allSatisfy(items -> {
            assertThat(items.getFirst().result()).isInstanceOf(WriteResult.Written.class);
            assertThat(items.getLast().source().path("offset").asInt()).isEqualTo(7);
        });
        answers.forEach(items -> RealElastic.CONTROL.delete(
                items.getFirst().json().path("_id").asText(), items.getFirst().version()));
    }

    @Test
    void reads_that_a_document_is_absent_without_creating_it() {
        Item reading = readingBeside(id + "-1").send(RealElastic.ELASTIC, BULK).getLast();

        assertThat(reading.isAbsent()).isTrue();
        assertThat(reading.hasChanged()).isFalse();
        assertThat(RealElastic.CONTROL.read(id)).isEmpty();
        RealElastic.CONTROL.read(id + "-1").ifPresent(entry -> RealElastic.CONTROL.delete(id + "-1", entry.version()));
    }
}
