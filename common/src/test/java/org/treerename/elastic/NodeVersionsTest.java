package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class NodeVersionsTest {

    private static final String FORBIDDEN =
            "{\"error\":{\"type\":\"security_exception\",\"reason\":\"not allowed\"},\"status\":403}";

    private volatile String version = "";
    private volatile boolean mayMonitor = true;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private StubNode node() {
        return StubNode.answering(request -> {
            requests.add(request.path());
            return !mayMonitor && request.path().equals("/_nodes")
                    ? new StubNode.Answer(403, FORBIDDEN)
                    : new StubNode.Answer(200, "{\"nodes\":{\"a\":{\"version\":\"" + version + "\"}}}");
        });
    }

    private static Elastic connect(StubNode node) {
        return Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));
    }

    private static boolean requestsVectors(Elastic elastic) {
        SearchRequestBody.Builder search = new SearchRequestBody.Builder();
        Queries.whole(search, elastic);
        return search.build().source() != null;
    }

    @Test
    void a_client_requests_vectors_without_a_question_if_the_version_is_not_known() {
        try (StubNode node = node();
                Elastic elastic = connect(node)) {
            assertThat(requestsVectors(elastic)).isTrue();
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void an_old_version_is_read_again_before_each_search_until_it_is_updated() {
        try (StubNode node = node();
                Elastic elastic = connect(node)) {
            version = "9.1.5";
            assertThat(elastic.readVersions()).containsExactly("9.1.5");
            Elastic pinned = elastic.at(node.url());

            assertThat(requestsVectors(pinned)).isFalse();
            assertThat(requests).hasSize(2);
            version = "9.2.0";
            assertThat(requestsVectors(pinned)).isTrue();
            assertThat(requestsVectors(elastic)).isTrue();
            assertThat(requests).as("requests after the update was detected").hasSize(3);
        }
    }

    @Test
    void without_the_privilege_monitor_the_versions_are_those_of_the_control_index() {
        try (StubNode node = node();
                Elastic elastic = connect(node)) {
            mayMonitor = false;
            version = "9.1.5";

            assertThat(elastic.readVersions()).containsExactly("9.1.5");
            assertThat(requests).containsExactly("/_nodes", "/tree-rename-control/_search_shards");
            assertThat(requestsVectors(elastic)).isFalse();
        }
    }
}
