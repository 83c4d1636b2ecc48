package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.hc.core5.http.HttpHost;
import org.junit.jupiter.api.Test;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.tree.RawJson;

class BulkAnswerTest {

    private static List<Bulk.Item> items(String json) {
        return BulkAnswer.items(new Elastic.Answer(200, RawJson.of(json), new HttpHost("127.0.0.1")));
    }

    @Test
    void reads_the_status_and_the_other_fields_of_every_item() {
        List<Bulk.Item> items = items("""
                {"took": 3, "ingest": {"items": [1]}, "items": [
                  {"index": {"status": 200}},
                  {"update": {"_id": "x", "_seq_no": 7, "get": {"_source": {"a": [1, {"status": 5}]}}, "_primary_term": 2,
                              "status": 201}},
                  {"index": {"error": {"type": "mapper_exception", "reason": "why", "caused_by": {"type": "other"}},
                             "status": 400}}],
                 "errors": true}""");

        assertThat(items).extracting(Bulk.Item::status).containsExactly(200, 201, 400);
        assertThat(items.get(1).version()).isEqualTo(new Version(7, 2));
        assertThat(items.get(1).source().path("a").get(1).path("status").asInt())
                .isEqualTo(5);
        assertThat(items.get(2).reason()).isEqualTo("400 mapper_exception: why");
        assertThat(items.get(0).json().isEmpty()).isTrue();
    }

    @Test
    void returns_no_items_of_an_answer_without_items() {
        assertThat(items("{\"took\": 3}")).isEmpty();
        assertThat(items("{}")).isEmpty();
    }

    @Test
    void throws_if_an_answer_is_cut_off_or_an_item_has_no_status() {
        for (String json : List.of(
                "",
                "[]",
                "{\"items\":[{\"index\":{\"status\":200}},{\"ind",
                "{\"items\":[{\"index\":{\"status\":200}}",
                "{\"items\":[{\"index\":{\"status\":null}}]}",
                "{\"items\":[{\"index\":{}}]}")) {
            assertThatThrownBy(() -> items(json)).as(json).isInstanceOf(NoAnswerException.class);
        }
    }
}
