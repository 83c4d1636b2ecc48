package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.overview.TreeListing.Child;
import org.treerename.overview.TreeListing.Page;
import org.treerename.path.Fields;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.Rules;

class ElasticTreeListingIT {

    private final String index = "list-" + UUID.randomUUID();
    private final Namespace files = Namespace.ofFiles("files", index);
    private final ElasticTreeListing listing = new ElasticTreeListing(RealElastic.ELASTIC);
    private int documents;

    private void put(String source) {
        RealElastic.put(index, String.valueOf(documents++), null, source);
    }

    private void stands(String type, String... paths) {
        for (String path : paths) {
            put("{\"path\":\"%s\",\"type\":\"%s\"}".formatted(path, type));
        }
    }

    private List<Child> all(Namespace namespace, String directory, int page) {
        List<Child> all = new ArrayList<>();
        String after = null;
        do {
            Page next = page(namespace, directory, after, page);
            assertThat(next.children()).hasSizeLessThanOrEqualTo(page);
            all.addAll(next.children());
            after = next.next();
        } while (after != null);
        return all;
    }

    private Page page(Namespace namespace, String directory, @Nullable String after, int most) {
        return listing.below(namespace, namespace.notation().path(directory), after, most);
    }

    @Test
    void an_index_that_is_not_there_has_nothing() {
        assertThat(all(files, "/", 10)).isEmpty();
    }

    @Test
    void each_child_comes_once_whatever_sorts_between_it_and_what_is_below_it() {
        RealElastic.createTreeIndex(index, "\"max_result_window\": 10000");
        stands("directory", "/x", "/x/a", "/x/empty", "/x/a/d");
        stands(
                "file",
                "/x/a!",
                "/x/a/1",
                "/x/a/d/2",
                "/x/f",
                "/x/f",
                "/x/implied/deep/er",
                "/x/implied!",
                "/xy",
                "/y/z");

        List<Child> expected = List.of(
                new Child("/x/a", 1, 3, true),
                new Child("/x/a!", 1, 0, false),
                new Child("/x/empty", 1, 0, true),
                new Child("/x/f", 2, 0, false),
                new Child("/x/implied!", 1, 0, false),
                new Child("/x/implied", 0, 1, true));
        for (int most = 1; most <= 7; most++) {
            assertThat(all(files, "/x", most)).as("pages of %s", most).isEqualTo(expected);
        }
        assertThat(all(files, "/", 10))
                .containsExactly(
                        new Child("/x", 1, 10, true), new Child("/xy", 1, 0, false), new Child("/y", 0, 1, true));
        assertThat(all(files, "/x/f", 10)).isEmpty();
        assertThat(all(files, "/nowhere", 10)).isEmpty();
    }

    @Test
    void more_below_a_child_than_is_read_at_once_is_skipped_and_counted() {
        RealElastic.createTreeIndex(index, "\"max_result_window\": 10000");
        for (int i = 0; i < 250; i++) {
            stands("file", "/a/" + i, "/b/" + i % 3 + "/" + i);
        }
        stands("file", "/c", "/");

        assertThat(all(files, "/", 2))
                .containsExactly(
                        new Child("/a", 0, 250, true), new Child("/b", 0, 250, true), new Child("/c", 1, 0, false));
        assertThat(all(files, "/a", 100)).hasSize(250);
        assertThat(all(files, "/b", 100)).extracting(Child::path).containsExactly("/b/0", "/b/1", "/b/2");
    }

    @Test
    void segments_may_be_quoted_and_the_root_empty() {
        RealElastic.createTreeIndex(index, "\"max_result_window\": 10000");
        Namespace terms = new Namespace(
                "terms", index, new Notation(".", false, true), Fields.of("path", null, null), null, Rules.DEFAULT);
        stands("term", "shop", "shop.\\\"orders.v2\\\"", "shop.\\\"orders.v2\\\".id", "shop.plain", "depot.x");

        assertThat(all(terms, "", 1)).containsExactly(new Child("depot", 0, 1, true), new Child("shop", 1, 3, true));
        assertThat(all(terms, "shop", 10))
                .containsExactly(new Child("shop.\"orders.v2\"", 1, 1, true), new Child("shop.plain", 1, 0, false));
    }

    @Test
    void where_documents_tell_their_directory_and_their_name_those_come_before_what_is_only_implied() {
        RealElastic.createTreeIndex(index, "\"max_result_window\": 10000");
        Fields fields = new Fields("parent", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());
        Namespace guide = new Namespace(
                "guide",
                index,
                Notation.SLASHES,
                fields,
                new Namespace.Directories("type", "directory"),
                Rules.DEFAULT);
        String document = "{\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\"}";
        put(document.formatted("/", "a", "directory"));
        put(document.formatted("/", "f", "file"));
        put(document.formatted("/a", "x", "file"));
        put(document.formatted("/a", "x", "file"));
        put(document.formatted("/a/implied", "y", "file"));
        put(document.formatted("/a/implied/deep", "z", "file"));
        put(document.formatted("/b/c", "z", "file"));
        put(document.formatted("/", "empty", "directory"));

        for (int most = 1; most <= 5; most++) {
            assertThat(all(guide, "/", most))
                    .containsExactly(
                            new Child("/a", 1, 4, true),
                            new Child("/empty", 1, 0, true),
                            new Child("/f", 1, 0, false),
                            new Child("/b", 0, 1, true));
            assertThat(all(guide, "/a", most))
                    .containsExactly(new Child("/a/x", 2, 0, false), new Child("/a/implied", 0, 2, true));
        }
    }

    @Test
    void a_page_has_its_limits() {
        assertThatThrownBy(() -> page(files, "/", null, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> page(files, "/", null, 1_001)).isInstanceOf(IllegalArgumentException.class);
    }
}
