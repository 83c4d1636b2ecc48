package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

class LimitedPagesTest {

    @ParameterizedTest
    @CsvSource({"0, 10", "7, 7", "70, 10"})
    void a_page_has_no_more_documents_than_its_namespace_may_move_in_a_second(int documentsPerSecond, int size) {
        Namespace limited = Namespace.ofFiles("files", GoodNode.INDEX)
                .with(new Rules(Granularity.TREE, 1, VersionOwner.SEQ_NO, null, documentsPerSecond));
        List<String> pages = new CopyOnWriteArrayList<>();
        GoodNode good = new GoodNode(Map.of(), false);
        try (StubNode node = StubNode.answering(request -> {
                    if (request.path().equals("/_search")) {
                        pages.add(request.body());
                    }
                    return good.apply(request);
                });
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));
                Scan scan = new ElasticTreeStore(elastic, new ElasticTreeStore.Limits(10, 1_000))
                        .scan(limited, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            scan.nextPage();
        }

        assertThat(pages).first().asString().contains("\"size\":" + size + ",");
    }
}
