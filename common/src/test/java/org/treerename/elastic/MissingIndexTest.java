package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.store.NoAnswerException;

/** The caller decides whether a missing index is a refusal. */
class MissingIndexTest {

    private static final StubNode.Answer MISSING =
            new StubNode.Answer(404, "{\"error\":{\"type\":\"index_not_found_exception\"},\"status\":404}");

    @Test
    void only_a_refresh_and_a_point_in_time_report_a_missing_index() {
        try (StubNode node = StubNode.answering(request -> MISSING);
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThat(elastic.refreshed("files-1")).isEmpty();
            assertThat(elastic.openPointInTime("files-1", "1m")).isEmpty();
            assertThatThrownBy(() -> elastic.ask(
                            client -> client.mget(get -> get.index("files-1").ids("1"), JsonNode.class)))
                    .isInstanceOf(NoAnswerException.class);
        }
    }
}
