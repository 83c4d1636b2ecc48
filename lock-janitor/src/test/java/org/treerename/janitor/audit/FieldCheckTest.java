package org.treerename.janitor.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.janitor.audit.FieldCheck.Agreement;
import org.treerename.janitor.audit.FieldCheck.Agrees;
import org.treerename.janitor.audit.FieldCheck.Differs;
import org.treerename.janitor.audit.FieldCheck.Unwritable;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.store.Version;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.TreeStore;

class FieldCheckTest {

    private static final Namespace ALL = new Namespace(
            "all",
            "all-1",
            Notation.SLASHES,
            new Fields(
                    "path",
                    null,
                    Fields.Holds.PATH,
                    "parent",
                    "name",
                    "at.depth",
                    "ancestors",
                    List.of("links"),
                    List.of("url")),
            null,
            Rules.DEFAULT);

    private static final Namespace DIRECTORY = new Namespace(
            "directory",
            "directory-1",
            Notation.SLASHES,
            new Fields("parent", Fields.Holds.DIRECTORY, null, "name", "depth", null, List.of()),
            null,
            Rules.DEFAULT);

    private static Document document(String source) {
        return new Document(new Document.Ref("all-1", "d1", null, new Version(1, 1)), "", RawJson.of(source));
    }

    private static Agreement check(Namespace namespace, String source) {
        return FieldCheck.of(namespace, document(source));
    }

    @Test
    void computes_the_fields_that_follow_from_the_path_and_no_others() {
        assertThat(ALL.computedFields()).containsExactly("path", "parent", "name", "at.depth", "ancestors");
        assertThat(DIRECTORY.computedFields()).containsExactly("parent", "name", "depth");
        assertThat(new Namespace("plain", "plain-1", "path", null, null, null).computedFields())
                .containsExactly("path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"path\":\"/a/b/x\",\"parent\":\"/a/b\",\"name\":\"x\",\"at\":{\"depth\":3},\"ancestors\":[\"/a\",\"/a/b\"]}",
                "{\"path\":\"\\/a/b/\\u0078\",\"parent\" : \"/a\\/b\",\"at.depth\": 3,\"ancestors\":[ \"/a\" ,\n\"/a/b\"]}",
                "{\"path\":\"/a\",\"parent\":\"/\",\"name\":\"a\",\"at\":{\"depth\":1},\"ancestors\":[]}",
                "{\"path\":\"/a/b/x\"}",
                "{\"path\":\"/a/b/x\",\"at\":{\"more\":1},\"links\":[\"/old\"],\"url\":\"file:///old\",\"other\":\"/old\"}"
            })
    void agrees_if_every_field_that_the_document_has_is_as_a_move_would_write_it(String source) {
        assertThat(check(ALL, source)).isEqualTo(new Agrees());
    }

    @Test
    void differs_in_each_field_that_a_move_would_change() {
        assertThat(check(ALL, "{\"parent\":\"/old\",\"path\":\"/a/x\",\"name\":\"x\",\"at\":{\"depth\":2}}"))
                .isEqualTo(new Differs("/a/x", List.of("parent")));
        assertThat(
                        check(
                                ALL,
                                "{\"path\":\"/a/x\",\"parent\":\"/a/\",\"name\":\"y\",\"at\":{\"depth\":1},\"ancestors\":[\"/a\",\"/a/x\"]}"))
                .isEqualTo(new Differs("/a/x", List.of("parent", "name", "at.depth", "ancestors")));
        assertThat(check(ALL, "{\"path\":\"/a/b/x\",\"ancestors\":[\"/a/b\",\"/a\"],\"at.depth\":4}"))
                .isEqualTo(new Differs("/a/b/x", List.of("ancestors", "at.depth")));
        assertThat(check(ALL, "{\"path\":\"/a/b\",\"ancestors\":\"/a\"}"))
                .isEqualTo(new Differs("/a/b", List.of("ancestors")));
    }

    @Test
    void differs_in_a_field_that_is_null_because_a_move_fills_it() {
        assertThat(check(ALL, "{\"path\":\"/a/x\",\"parent\":null,\"name\":\"x\"}"))
                .isEqualTo(new Differs("/a/x", List.of("parent")));
    }

    @Test
    void is_unwritable_if_a_field_does_not_have_the_type_that_a_move_writes() {
        assertThat(check(ALL, "{\"path\":\"/a/x\",\"parent\":[\"/a\",\"/b\"],\"name\":\"old\"}"))
                .isEqualTo(new Unwritable("/a/x", List.of("parent")));
        assertThat(check(ALL, "{\"path\":\"/a/x\",\"at\":[{\"depth\":\"2\"}],\"ancestors\":{}}"))
                .isEqualTo(new Unwritable("/a/x", List.of("at.depth", "ancestors")));
        assertThat(check(ALL, "{\"path\":\"/a/x\",\"at\":{\"depth\":2},\"at.depth\":3}"))
                .isEqualTo(new Unwritable("/a/x", List.of("at.depth")));
        assertThat(check(ALL, "{\"path\":[\"/a/x\",\"/b\"]}")).isEqualTo(new Unwritable("", List.of("path")));
    }

    @Test
    void agrees_if_an_array_holds_only_the_text_that_a_move_would_write() {
        assertThat(check(ALL, "{\"path\":[\"/a/x\"],\"parent\":[\"/a\",null],\"at\":{\"depth\":2},\"at.depth\":2}"))
                .isEqualTo(new Agrees());
    }

    @Test
    void agrees_if_no_rename_corrects_the_document() {
        assertThat(check(ALL, "{\"path\":\"/\",\"parent\":\"\",\"name\":\"/\"}"))
                .isEqualTo(new Agrees());
        assertThat(check(ALL, "{\"path\":\"/a//x\",\"parent\":\"/a\"}")).isEqualTo(new Agrees());
        assertThat(check(ALL, "{\"path\":\"/\\ud800\",\"parent\":\"/a\"}")).isEqualTo(new Agrees());
    }

    @Test
    void builds_the_path_from_directory_and_name_if_the_path_field_holds_the_directory() {
        assertThat(check(DIRECTORY, "{\"parent\":\"/a\",\"name\":\"x\",\"depth\":2}"))
                .isEqualTo(new Agrees());
        assertThat(check(DIRECTORY, "{\"parent\":\"/a\",\"name\":\"x\",\"depth\":1}"))
                .isEqualTo(new Differs("/a/x", List.of("depth")));
        assertThat(check(DIRECTORY, "{\"parent\":\"/a\",\"name\":\"x/y\",\"depth\":3}"))
                .isEqualTo(new Unwritable("/a/x/y", List.of("parent", "name")));
        assertThat(check(DIRECTORY, "{\"parent\":\"/a\",\"name\":7,\"depth\":2}"))
                .isEqualTo(new Differs("/a/7", List.of("name")));
        assertThat(check(DIRECTORY, "{\"parent\":\"/a\",\"name\":{},\"depth\":2}"))
                .isEqualTo(new Unwritable("", List.of("parent", "name")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"path\":\"/a/x\",\"parent\":\"/old\",\"name\":null,\"at\":{\"depth\":9},\"ancestors\":\"/old\"}",
                "{\"path\":\"/a/x\",\"parent\":\"\",\"at.depth\":-1,\"ancestors\":[1,[2]],\"links\":\"/a/x\",\"url\":\"file:///a/x\"}"
            })
    void agrees_after_each_move(String source) {
        assertThat(check(ALL, source)).isInstanceOf(Differs.class);
        Document read = new Document(document(source).ref(), "/a/x", RawJson.of(source));
        TreeStore.Move move = new TreeStore.Move(
                read, "/b/c/y", text -> text.equals("/a/x") ? "/b/c/y" : text, new Condition.AsRead());

        RawJson moved = PathFields.moved(ALL, move).orElseThrow();

        assertThat(check(ALL, moved.toString())).isEqualTo(new Agrees());
    }
}
