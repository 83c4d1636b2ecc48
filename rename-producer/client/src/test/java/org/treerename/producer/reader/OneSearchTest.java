package org.treerename.producer.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.OneSearch.NotEnoughException;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

final class OneSearchTest {

    private static final Region ALL =
            new Region(new Region.Part(TreePath.ROOT, Reach.AT_OR_BELOW), null, List.of(), List.of());

    private static final List<Document> DOCUMENTS = List.of(document("1", "/a"), document("2", "/b"));

    private static Document document(String id, String path) {
        return new Document(
                new Document.Ref("files-1", id, null, new Version(1, 1)),
                path,
                RawJson.of("{\"path\":\"" + path + "\"}"));
    }

    private final Namespace files = Namespace.ofFiles("files", "files");
    private final OneSearch search = new OneSearch(new InMemoryPointInTime(files, DOCUMENTS, 1));

    private PointInTime.Batch read() {
        return search.read(new PointInTime.Reading(ALL, null, List.of(), null, null, 10));
    }

    @Test
    void answers_one_search() {
        search.expect(1);
        assertThat(read().found()).hasSize(1);

        assertThatThrownBy(() -> search.expect(1)).isInstanceOf(NotEnoughException.class);
        assertThatThrownBy(this::read).isInstanceOf(NotEnoughException.class);
        assertThatThrownBy(() -> search.count(List.of(List.of(ALL)), null)).isInstanceOf(NotEnoughException.class);
    }

    @Test
    void answers_one_count() {
        assertThat(search.count(List.of(List.of(ALL), List.of()), null)).containsExactly(2L, 0L);

        assertThatThrownBy(() -> search.count(List.of(List.of(ALL)), null)).isInstanceOf(NotEnoughException.class);
    }

    @Test
    void refuses_several_regions() {
        assertThatThrownBy(() -> search.expect(2)).isInstanceOf(NotEnoughException.class);
    }

    /** In this test, the documents of the page do not fit into one answer. */
    @Test
    void refuses_the_rest_of_a_page_that_one_search_did_not_read() {
        TreeView view = new TreeView(files, TreePath.ROOT, new Overlay(files.notation(), List.of()), search, true);

        assertThatThrownBy(() -> view.find(TreePath.ROOT, Reach.AT_OR_BELOW, null, null, 2))
                .isInstanceOf(NotEnoughException.class);
    }
}
