package org.treerename.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.path.Notation;

class NamespaceTest {

    private final Namespace files = Namespace.ofFiles("files", "index");

    @ParameterizedTest
    @ValueSource(strings = {"", "Files", "a b", "_a", "a/b", "ü"})
    void refuses_an_invalid_name_with_the_name_in_the_message(String name) {
        assertThatThrownBy(() -> Namespace.ofFiles(name, "index"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + name + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Index", "a,b", "a*", "-a", "_all", "a/b"})
    void refuses_an_invalid_index_or_several_indices(String index) {
        assertThatThrownBy(() -> Namespace.ofFiles("files", index))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + index + "\"");
    }

    @Test
    void refuses_a_repeated_or_blank_field() {
        assertThatThrownBy(() -> new Namespace("files", "index", "path", "path", null, null))
                .hasMessageContaining("found path in two settings");
        assertThatThrownBy(() -> new Namespace("files", "index", "path", null, "path", null))
                .hasMessageContaining("in two settings");
        assertThatThrownBy(() -> new Namespace("files", "index", " ", null, null, null))
                .hasMessageContaining("path_field");
        assertThatThrownBy(() -> new Directories("", "x")).hasMessageContaining("directory_field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".a", "a.", "a..b", "_id"})
    void refuses_a_field_without_a_valid_name(String field) {
        assertThatThrownBy(() -> new Fields("path", Fields.Holds.PATH, null, null, null, null, List.of(field)))
                .hasMessageContaining("a field of a namespace must be the name of a field")
                .hasMessageContaining("found \"" + field + "\"");
    }

    private static Map<String, String> texts(Namespace namespace, String path) {
        Map<String, String> texts = new LinkedHashMap<>();
        namespace
                .pathFields(path, path, UnaryOperator.identity())
                .forEach((field, value) -> texts.put(field, ((FieldValue.Text) value).text()));
        return texts;
    }

    @Test
    void derives_depth_and_ancestors_from_the_path() {
        Fields fields = new Fields("p", Fields.Holds.PATH, null, null, "depth", "above", List.of("tags"));
        Namespace terms = new Namespace("terms", "terms", new Notation(".", false, true), fields, null, Rules.DEFAULT);

        Map<String, FieldValue> values = terms.pathFields("a.\"b.c\".d", "x", text -> text + "!");

        assertThat(values)
                .containsEntry("p", new FieldValue.Text("a.\"b.c\".d"))
                .containsEntry("depth", new FieldValue.Whole(3))
                .containsEntry("above", new FieldValue.Texts(List.of("a", "a.\"b.c\"")));
        assertThat(values.get("tags"))
                .isInstanceOfSatisfying(
                        FieldValue.Followed.class,
                        followed -> assertThat(followed.newText().apply("x")).isEqualTo("x!"));
    }

    private static String prefixed(Notation notation, String text, String before, String after) {
        Fields fields = new Fields("p", null, Fields.Holds.PATH, null, null, null, null, List.of(), List.of("url"));
        FieldValue value = new Namespace("n", "n", notation, fields, null, Rules.DEFAULT)
                .pathFields(after, before, UnaryOperator.identity())
                .get("url");
        return ((FieldValue.Followed) Objects.requireNonNull(value)).newText().apply(text);
    }

    @Test
    void a_prefixed_field_keeps_its_prefix() {
        assertThat(prefixed(Notation.SLASHES, "file:///mnt/a/x", "/a/x", "/b")).isEqualTo("file:///mnt/b");
        assertThat(prefixed(Notation.SLASHES, "/a/x", "/a/x", "/b")).isEqualTo("/b");
        assertThat(prefixed(Notation.SLASHES, "/mnt/a/x/y", "/a/x", "/b")).isEqualTo("/mnt/a/x/y");
        assertThat(prefixed(Notation.SLASHES, "/mnt/b/x", "/a/x", "/b")).isEqualTo("/mnt/b/x");
        Notation dots = new Notation(".", false, true);
        assertThat(prefixed(dots, "bucket.a.b", "a.b", "c")).isEqualTo("bucket.c");
        assertThat(prefixed(dots, "a.b", "a.b", "c")).isEqualTo("c");
        assertThat(prefixed(dots, "aa.b", "a.b", "c")).isEqualTo("aa.b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p", "p.", "q.exact", "pq"})
    void the_path_keyword_must_be_a_sub_field_of_the_path_field(String keyword) {
        assertThatThrownBy(
                        () -> new Fields("p", keyword, Fields.Holds.PATH, null, null, null, null, List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("path_keyword")
                .hasMessageContaining("\"" + keyword + "\"");
    }

    @Test
    void the_name_field_completes_a_path_field_that_holds_the_directory() {
        Fields fields = new Fields("path", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());
        Namespace guide = new Namespace("guide", "guide", Notation.SLASHES, fields, null, Rules.DEFAULT);

        assertThat(texts(guide, "/clinton/projects/README.txt"))
                .containsExactly(Map.entry("path", "/clinton/projects"), Map.entry("name", "README.txt"));
        assertThat(texts(guide, "/README.txt"))
                .containsExactly(Map.entry("path", "/"), Map.entry("name", "README.txt"));
        assertThat(guide.pathOf(field -> Optional.of(field.equals("path") ? "/clinton" : "x")))
                .contains("/clinton/x");
        assertThat(guide.pathOf(field -> Optional.of(field.equals("path") ? "/" : "x")))
                .contains("/x");
        assertThat(guide.pathOf(field -> field.equals("path") ? Optional.of("/") : Optional.empty()))
                .isEmpty();
        assertThatThrownBy(() -> new Fields("path", Fields.Holds.DIRECTORY, null, null, null, null, List.of()))
                .hasMessageContaining("name_field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "b", "a.b.c"})
    void refuses_a_field_inside_of_another_field_or_twice(String other) {
        List<String> references = List.of(other);
        if (other.equals("b")) {
            references = List.of("x", "x");
        }
        List<String> refused = references;
        assertThatThrownBy(() -> new Fields("a.b", Fields.Holds.PATH, null, null, null, null, refused))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void derives_the_path_fields_from_the_path() {
        assertThat(texts(files, "/a/b/c"))
                .containsExactly(Map.entry("path", "/a/b/c"), Map.entry("parent", "/a/b"), Map.entry("name", "c"));
        assertThat(texts(files, "/a"))
                .containsExactly(Map.entry("path", "/a"), Map.entry("parent", "/"), Map.entry("name", "a"));
        assertThat(texts(new Namespace("plain", "index", "path", null, null, null), "/a/b"))
                .containsExactly(Map.entry("path", "/a/b"));
    }

    @Test
    void directories_are_documents_only_if_a_field_marks_them() {
        assertThat(files.directoriesAreDocuments()).isTrue();
        assertThat(new Namespace("plain", "index", "path", null, null, null).directoriesAreDocuments())
                .isFalse();
    }
}
