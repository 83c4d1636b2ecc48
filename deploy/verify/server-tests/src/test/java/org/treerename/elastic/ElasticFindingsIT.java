package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/** Tests behaviour that only a real Elasticsearch shows. */
class ElasticFindingsIT {

    private final String unique = "f" + UUID.randomUUID();

    @Test
    void refuses_to_move_a_document_whose_path_is_only_in_a_subfield() {
        RealElastic.RAW.put("/" + unique, Json.object());
        RealElastic.put(unique, "1", null, "{\"path\":\"/a/x\"}");
        Namespace sub = new Namespace("sub", unique, "path.keyword", null, null, null);
        ElasticTreeStore tree = new ElasticTreeStore(RealElastic.ELASTIC, new ElasticTreeStore.Limits(10, 1_000));

        try (Scan scan = tree.scan(sub, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            List<Document> page = scan.nextPage();
            List<Written> written = tree.move(sub, List.of(new Move(page.getFirst(), "/b/x")));

            assertThat(page).hasSize(1);
            assertThat(written).singleElement().isInstanceOf(Written.Refused.class);
        }
    }
}
