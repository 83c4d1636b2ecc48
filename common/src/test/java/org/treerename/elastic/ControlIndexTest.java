package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;

class ControlIndexTest {

    /**
     * Returns the problem that {@link ControlIndex#unusable} reports after {@code change} has modified the settings and
     * mappings of the index.
     */
    private static Optional<TreeProblem> unusable(Consumer<ObjectNode> change) {
        ObjectNode definition = (ObjectNode) Json.resource("control-index.json");
        ObjectNode index = Json.object();
        index.putObject("settings").putObject("index").put("number_of_shards", "1");
        index.set("mappings", definition.path("mappings").deepCopy());
        change.accept(index);
        String answer =
                Json.object().set(Installation.DEFAULT.controlIndex(), index).toString();
        try (StubNode node = StubNode.answering(request -> new StubNode.Answer(200, answer));
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            return new ControlIndex(elastic).unusable();
        }
    }

    private static ObjectNode mappings(ObjectNode index) {
        return (ObjectNode) index.path("mappings");
    }

    private static ObjectNode field(ObjectNode index, String name) {
        return (ObjectNode) index.path("mappings").path("properties").path(name);
    }

    @Test
    void accepts_an_index_that_this_program_has_created() {
        assertThat(unusable(index -> {})).isEmpty();
        assertThat(unusable(index -> mappings(index)
                        .withObject("/properties")
                        .putObject("later")
                        .put("type", "keyword")))
                .isEmpty();
    }

    @Test
    void reads_the_index_of_its_installation_and_names_it_if_it_is_missing() {
        List<String> paths = new CopyOnWriteArrayList<>();
        try (StubNode node = StubNode.answering(request -> {
                    paths.add(request.path());
                    return new StubNode.Answer(404, "{\"error\":{\"type\":\"index_not_found_exception\"}}");
                });
                Elastic elastic = Elastic.connect(
                        Elastic.Settings.of(node.url(), Duration.ofSeconds(10)).in(new Installation("blue")))) {
            ControlIndex control = new ControlIndex(elastic);

            assertThatThrownBy(() -> control.search().all(Queries.exists("kind")))
                    .isInstanceOf(NoAnswerException.class)
                    .hasMessage("there is no control index blue.tree-rename-control; start a janitor, which creates the"
                            + " index, or correct --prefix; if a worker or a janitor has just started, wait"
                            + " some seconds");
            assertThat(paths).containsExactly("/blue.tree-rename-control/_refresh");
        }
    }

    @Test
    void refuses_an_index_of_several_shards() {
        assertThat(unusable(index -> index.withObject("/settings/index").put("number_of_shards", "2")))
                .get()
                .asString()
                .contains("does not have the settings and the mapping of tree rename (shards: expected 1, found 2)");
    }

    @Test
    void refuses_an_index_that_a_request_has_created() {
        assertThat(unusable(index -> mappings(index).remove("dynamic")))
                .get()
                .asString()
                .contains("dynamic mapping: expected false, found true");
    }

    @Test
    void refuses_an_index_with_another_mapping() {
        assertThat(unusable(index -> field(index, "state").put("type", "text")))
                .get()
                .asString()
                .contains("the field state: expected {\"type\":\"keyword\"}, found {\"type\":\"text\"}");
        assertThat(unusable(index -> mappings(index).withObject("/properties").remove("state")))
                .get()
                .asString()
                .contains("the field state");
        assertThat(unusable(index -> field(index, "request_id").remove("index")))
                .isPresent();
        assertThat(unusable(index -> field(index, "kind").remove("doc_values"))).isPresent();
    }
}
