package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ElasticLockStoreTest {

    /**
     * A thousand tables of buckets could need a gigabyte of memory. So one page contains only a few of these tables.
     */
    @Test
    void reads_few_tables_of_buckets_and_many_tables_of_documents_at_once() {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        GoodNode good = new GoodNode(Map.of(), false);
        try (StubNode node = StubNode.answering(request -> {
                    if (request.path().endsWith("_search")) {
                        sizes.add(Json.read(request.body().getBytes(StandardCharsets.UTF_8))
                                .path("size")
                                .asInt());
                    }
                    return good.apply(request);
                });
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)))) {
            assertThat(new ElasticLockStore(new ControlIndex(elastic)).all()).isEmpty();
        }

        assertThat(sizes).containsExactly(20, 1_000);
    }
}
