package org.treerename.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeSurvey.At;

/** The tests that every {@link TreeSurvey} must pass. The tested survey returns pages of {@link #PAGE} paths. */
public abstract class TreeSurveyContract {

    protected static final int PAGE = 3;

    /** The name of an index with the path fields of {@link Namespace#ofFiles}. */
    protected final String index = "tree-" + UUID.randomUUID();

    private final Namespace files = Namespace.ofFiles("files", index);

    protected abstract TreeSurvey survey();

    protected abstract void createIndex(String name);

    protected abstract void alias(String alias, String... indices);

    protected abstract void put(String into, String id, String source);

    private void putDocument(String id, String path, String type) {
        put(index, id, "{\"path\":\"%s\",\"type\":\"%s\"}".formatted(path, type));
    }

    private List<At> all() {
        return all(files);
    }

    private List<At> all(Namespace namespace) {
        List<At> all = new ArrayList<>();
        List<At> page = survey().paths(namespace, null);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(PAGE);
            all.addAll(page);
            page = survey().paths(namespace, page.getLast().path());
        }
        return all;
    }

    @Test
    void a_missing_index_has_no_paths() {
        assertThat(all()).isEmpty();
    }

    @Test
    void an_empty_index_has_no_paths() {
        createIndex(index);

        assertThat(all()).isEmpty();
    }

    @Test
    void counts_documents_without_a_path_and_returns_the_first_ids() {
        assertThat(survey().pathless(files)).isEqualTo(new TreeSurvey.Pathless(0, List.of()));
        createIndex(index);
        putDocument("1", "/a", "directory");
        put(index, "2", "{\"type\":\"file\"}");
        assertThat(survey().pathless(files)).isEqualTo(new TreeSurvey.Pathless(1, List.of("2")));

        for (int i = 3; i < 9; i++) {
            put(index, String.valueOf(i), "{\"path\":null}");
        }

        assertThat(survey().pathless(files)).satisfies(found -> {
            assertThat(found.documents()).isEqualTo(7);
            assertThat(found.ids()).hasSize(3).isSubsetOf("2", "3", "4", "5", "6", "7", "8");
        });
    }

    @Test
    void returns_every_path_once_with_its_number_of_documents_over_several_pages() {
        createIndex(index);
        putDocument("1", "/a", "directory");
        putDocument("2", "/a/x", "file");
        putDocument("3", "/a/x", "file");
        putDocument("4", "/a!", "file");
        putDocument("5", "/\uD83D\uDE00", "file");
        putDocument("6", "/\uFF21", "file");
        putDocument("7", "/b/c/d", "file");

        assertThat(all())
                .containsExactlyInAnyOrder(
                        new At("/a", 1),
                        new At("/a/x", 2),
                        new At("/a!", 1),
                        new At("/\uD83D\uDE00", 1),
                        new At("/\uFF21", 1),
                        new At("/b/c/d", 1));
    }

    @Test
    void returns_no_path_for_a_document_without_a_path() {
        createIndex(index);
        put(index, "1", "{\"type\":\"file\"}");

        assertThat(all()).isEmpty();
    }

    @Test
    void returns_the_given_paths_that_have_a_directory_document() {
        createIndex(index);
        putDocument("1", "/a", "directory");
        putDocument("2", "/b", "file");
        putDocument("3", "/b/c", "directory");
        survey().paths(files, null);

        assertThat(survey().directories(files, Set.of("/a", "/b", "/c", "/b/c")))
                .containsExactlyInAnyOrder("/a", "/b/c");
        assertThat(survey().directories(files, Set.of())).isEmpty();
    }

    @Test
    void builds_the_path_from_directory_and_name() {
        createIndex(index);
        Fields fields = new Fields("parent", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());
        Namespace guide = new Namespace(
                "guide",
                index,
                Notation.SLASHES,
                fields,
                new Namespace.Directories("type", "directory"),
                Rules.DEFAULT);
        String document = "{\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\"}";
        put(index, "1", document.formatted("/", "a", "directory"));
        put(index, "2", document.formatted("/a", "x", "file"));
        put(index, "3", document.formatted("/a", "x", "file"));
        put(index, "4", document.formatted("/a", "y", "directory"));
        put(index, "5", document.formatted("/a/y", "x", "file"));

        assertThat(all(guide))
                .containsExactlyInAnyOrder(new At("/a", 1), new At("/a/x", 2), new At("/a/y", 1), new At("/a/y/x", 1));
        assertThat(survey().directories(guide, Set.of("/a", "/a/x", "/x", "/a/y")))
                .containsExactlyInAnyOrder("/a", "/a/y");
    }

    @Test
    void returns_no_directories_if_directories_are_not_documents() {
        createIndex(index);
        putDocument("1", "/a", "directory");
        survey().paths(files, null);

        assertThat(survey().directories(new Namespace("plain", index, "path", null, null, null), Set.of("/a")))
                .isEmpty();
    }

    /** Returns the path fields of each document that the survey finds. The keys are the ids of the documents. */
    private Map<String, Map<String, String>> fields(Namespace namespace) {
        try (Scan scan = survey().pathFields(namespace)) {
            return fields(namespace, scan);
        }
    }

    private static Map<String, Map<String, String>> fields(Namespace namespace, Scan scan) {
        Map<String, Map<String, String>> fields = new TreeMap<>();
        for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
            assertThat(page).hasSizeLessThanOrEqualTo(PAGE);
            page.forEach(document -> {
                Map<String, String> found = new TreeMap<>();
                namespace
                        .computedFields()
                        .forEach(field ->
                                PathFields.text(document.source(), field).ifPresent(text -> found.put(field, text)));
                assertThat(fields.put(document.ref().id(), found)).isNull();
            });
        }
        return fields;
    }

    @Test
    void path_fields_of_a_missing_or_empty_index_are_an_empty_scan() {
        assertThat(fields(files)).isEmpty();

        createIndex(index);

        assertThat(fields(files)).isEmpty();
    }

    @Test
    void path_fields_of_every_document_at_or_below_the_root_are_read_over_several_pages() {
        createIndex(index);
        put(index, "1", "{\"path\":\"/a\",\"parent\":\"/\",\"name\":\"a\"}");
        put(index, "2", "{\"path\":\"/a/x\",\"parent\":\"/old\",\"name\":[\"x\"],\"more\":1}");
        put(index, "3", "{\"path\":\"/a/x\",\"name\":\"x\"}");
        put(index, "4", "{\"path\":\"/a//x\",\"parent\":null}");
        put(index, "5", "{\"path\":\"/\",\"parent\":\"\"}");
        put(index, "6", "{\"path\":[\"/b\",\"/c\"],\"name\":\"b\"}");
        put(index, "7", "{\"path\":\"/d\"}");
        put(index, "no path", "{\"parent\":\"/a\",\"name\":\"y\"}");

        assertThat(fields(files))
                .isEqualTo(Map.of(
                        "1", Map.of("path", "/a", "parent", "/", "name", "a"),
                        "2", Map.of("path", "/a/x", "parent", "/old", "name", "x"),
                        "3", Map.of("path", "/a/x", "name", "x"),
                        "4", Map.of("path", "/a//x"),
                        "5", Map.of("path", "/", "parent", ""),
                        "6", Map.of("name", "b"),
                        "7", Map.of("path", "/d")));
    }

    @Test
    void path_fields_show_the_moment_at_which_the_scan_was_opened() {
        createIndex(index);
        putDocument("1", "/a", "directory");
        try (Scan scan = survey().pathFields(files)) {
            putDocument("2", "/b", "directory");

            assertThat(fields(files, scan)).containsOnlyKeys("1");
        }
        assertThat(fields(files)).containsOnlyKeys("1", "2");
    }

    @Test
    void path_fields_inside_of_an_object_are_read() {
        createIndex(index);
        Namespace nested = new Namespace("nested", index, "path", "family.parent", "family.name", null);
        put(index, "1", "{\"path\":\"/a/x\",\"family\":{\"parent\":\"/old\"},\"family.name\":\"y\"}");

        assertThat(fields(nested))
                .isEqualTo(Map.of("1", Map.of("path", "/a/x", "family.parent", "/old", "family.name", "y")));
    }

    @Test
    void path_fields_are_read_if_the_path_field_holds_the_directory() {
        createIndex(index);
        Fields fields = new Fields("parent", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());
        Namespace guide = new Namespace("guide", index, Notation.SLASHES, fields, null, Rules.DEFAULT);
        put(index, "1", "{\"parent\":\"/\",\"name\":\"a\"}");
        put(index, "2", "{\"parent\":\"/a/b\",\"name\":\"x\"}");

        assertThat(fields(guide))
                .isEqualTo(Map.of(
                        "1", Map.of("parent", "/", "name", "a"),
                        "2", Map.of("parent", "/a/b", "name", "x")));
    }

    @Test
    void documents_at_or_below_a_path_are_counted_in_each_index() {
        String other = index + "-other";
        createIndex(index);
        createIndex(other);
        createIndex(index + "-empty");
        alias(index + "-all", index, other, index + "-empty");
        putDocument("1", "/a", "directory");
        putDocument("2", "/a/x", "file");
        putDocument("3", "/a/x/y", "file");
        putDocument("4", "/ab", "file");
        putDocument("5", "/", "directory");
        put(other, "6", "{\"path\":\"/a/z\"}");

        Namespace all = Namespace.ofFiles("all", index + "-all");
        assertThat(survey().documents(all, new TreePath("/a"))).isEqualTo(Map.of(index, 3L, other, 1L));
        assertThat(survey().documents(all, new TreePath("/ab"))).isEqualTo(Map.of(index, 1L));
        assertThat(survey().documents(all, new TreePath("/nowhere"))).isEmpty();
        assertThat(survey().documents(Namespace.ofFiles("none", index + "-none"), new TreePath("/a")))
                .isEmpty();
    }
}
