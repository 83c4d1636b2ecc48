package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.store.NoAnswerException;

/** Tests which requests return a missing index as a result, and which requests fail. */
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

    @ParameterizedTest
    @CsvSource(value = {"404, ''", "409, ''", "404, null", "200, null", "200, []", "404, not found"})
    void an_answer_of_another_kind_is_no_answer(int status, String body) {
        try (StubNode node = StubNode.answering(request -> new StubNode.Answer(status, body));
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThatThrownBy(() -> elastic.refreshed("files-1")).isInstanceOf(NoAnswerException.class);
            assertThatThrownBy(() -> elastic.openPointInTime("files-1", "1m")).isInstanceOf(NoAnswerException.class);
            assertThatThrownBy(() -> elastic.ask(
                            client -> client.mget(get -> get.index("files-1").ids("1"), JsonNode.class)))
                    .isInstanceOf(NoAnswerException.class);
        }
    }

    @Test
    void an_error_that_looks_like_an_answer_is_no_answer() {
        try (StubNode node = StubNode.answering(
                        request -> new StubNode.Answer(409, "{\"succeeded\":true,\"num_freed\":0}"));
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThatThrownBy(() -> elastic.closePointInTime("p")).isInstanceOf(NoAnswerException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"succeeded\":true,\"num_freed\":0}", "{}", "{\"error\":{\"type\":\"x\"},\"status\":404}"})
    void a_point_in_time_that_has_expired_is_closed(String body) {
        try (StubNode node = StubNode.answering(request -> new StubNode.Answer(404, body));
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThatNoException().isThrownBy(() -> elastic.closePointInTime("p"));
        }
    }

    @Test
    void the_status_of_the_answer_says_that_an_index_is_missing() {
        StubNode.Answer conflict = new StubNode.Answer(409, "{\"error\":{\"type\":\"x\"},\"status\":404}");
        try (StubNode node = StubNode.answering(request -> conflict);
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThatThrownBy(() -> elastic.refreshed("files-1")).isInstanceOf(NoAnswerException.class);
        }
    }

    @Test
    void a_request_with_several_buffers_is_refused() {
        try (StubNode node = StubNode.answering(request -> new StubNode.Answer(200, "{}"));
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> elastic.ask(client -> client.bulk(bulk -> bulk.operations(first -> first.delete(
                                    delete -> delete.index("files-1").id("1")))
                            .operations(second -> second.delete(
                                    delete -> delete.index("files-1").id("2"))))));
        }
    }
}
