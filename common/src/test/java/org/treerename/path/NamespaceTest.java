package org.treerename.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.path.Namespace.Directories;

class NamespaceTest {

    private final Namespace files = Namespace.ofFiles("files", "index");

    @ParameterizedTest
    @ValueSource(strings = {"", "Files", "a b", "_a", "a/b", "ü"})
    void a_name_that_is_none_is_refused_with_the_name_in_the_message(String name) {
        assertThatThrownBy(() -> Namespace.ofFiles(name, "index"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + name + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Index", "a,b", "a*", "-a", "_all", "a/b"})
    void an_index_that_is_none_or_many_is_refused(String index) {
        assertThatThrownBy(() -> Namespace.ofFiles("files", index))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + index + "\"");
    }

    @Test
    void the_path_field_stands_once() {
        assertThatThrownBy(() -> new Namespace("files", "index", "path", "path", null, null))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new Namespace("files", "index", "path", null, "path", null))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new Namespace("files", "index", " ", null, null, null))
                .hasMessageContaining("path_field");
        assertThatThrownBy(() -> new Directories("", "x")).hasMessageContaining("directories.field");
    }

    @Test
    void the_path_fields_follow_from_the_path() {
        assertThat(files.pathFields("/a/b/c"))
                .containsExactly(Map.entry("path", "/a/b/c"), Map.entry("parent", "/a/b"), Map.entry("name", "c"));
        assertThat(files.pathFields("/a"))
                .containsExactly(Map.entry("path", "/a"), Map.entry("parent", "/"), Map.entry("name", "a"));
        assertThat(new Namespace("plain", "index", "path", null, null, null).pathFields("/a/b"))
                .containsExactly(Map.entry("path", "/a/b"));
    }

    @Test
    void only_where_a_field_tells_them_directories_are_documents() {
        assertThat(files.directoriesAreDocuments()).isTrue();
        assertThat(new Namespace("plain", "index", "path", null, null, null).directoriesAreDocuments())
                .isFalse();
    }
}
