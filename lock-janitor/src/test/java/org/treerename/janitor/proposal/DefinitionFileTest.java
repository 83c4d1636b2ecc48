package org.treerename.janitor.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.janitor.proposal.DefinitionFile.Change;
import org.treerename.janitor.proposal.DefinitionFile.Result;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.namespace.NamespaceFile;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;

final class DefinitionFileTest {

    @TempDir
    private Path folder;

    private static Namespace plain(String name) {
        return new Namespace(name, name, "path", null, null, null);
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("namespaces.yaml"), content);
    }

    private static Result add(Path file, Namespace namespace, boolean replace) {
        DefinitionFile definitions = new DefinitionFile(file);
        Change change = definitions.plan(namespace, replace);
        definitions.write(change);
        return change.result();
    }

    @Test
    void a_symbolic_link_remains_and_its_file_gets_the_definition() throws IOException {
        Path file = folder.resolve("shared.yaml");
        add(file, plain("files"), false);
        Path link = Files.createSymbolicLink(folder.resolve("namespaces.yaml"), file);

        assertThat(add(link, plain("mails"), false)).isEqualTo(Result.EXTENDED);
        assertThat(link).isSymbolicLink();
        assertThat(NamespaceFile.read(file)).containsExactly(plain("files"), plain("mails"));
    }

    @Test
    void a_definition_with_every_field_is_read_back_as_it_was_written() {
        Fields fields = new Fields(
                "o.path",
                "o.path.keyword",
                Fields.Holds.PATH,
                "parent",
                "name",
                "depth",
                "ancestors",
                List.of(),
                List.of("url", "a b"));
        Namespace namespace = new Namespace(
                "all",
                "all-1",
                new Notation("::", true, true),
                fields,
                new Directories("type", "no: \"#\u00e9"),
                Rules.DEFAULT);
        Path file = folder.resolve("new.yaml");

        assertThat(add(file, namespace, false)).isEqualTo(Result.CREATED);

        assertThat(NamespaceFile.read(file)).containsExactly(namespace);
        assertThat(add(file, namespace, false)).isEqualTo(Result.UNCHANGED);
    }

    @Test
    void extends_a_file_and_keeps_its_comments() throws IOException {
        Path file = file("""
                # first
                namespaces:
                    - name: one # of mine
                      index: one

                      path_field: path
                # last
                """);

        assertThat(add(file, plain("two"), false)).isEqualTo(Result.EXTENDED);

        assertThat(Files.readString(file)).isEqualTo("""
                # first
                namespaces:
                    - name: one # of mine
                      index: one

                      path_field: path
                    - name: two
                      index: two
                      path_field: path
                # last
                """);
    }

    @Test
    void replaces_a_definition_only_on_request() throws IOException {
        String before = """
                namespaces:
                  - { name: zero, index: zero,
                      path_field: path }
                  -
                    name: one
                    index: one
                    path_field: other
                    reference_fields:
                      - a
                      - b
                  # about two
                  - name: two
                    index: two
                    path_field: path
                """;
        Path file = file(before);

        assertThatThrownBy(() -> add(file, plain("one"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        file + " contains a different definition of the namespace one; use --force to replace it, or"
                                + " --namespace to define another namespace");
        assertThat(Files.readString(file)).isEqualTo(before);

        assertThat(add(file, plain("one"), true)).isEqualTo(Result.REPLACED);
        assertThat(Files.readString(file)).isEqualTo("""
                namespaces:
                  - { name: zero, index: zero,
                      path_field: path }
                  - name: one
                    index: one
                    path_field: path
                  # about two
                  - name: two
                    index: two
                    path_field: path
                """);
    }

    @Test
    void refuses_a_second_namespace_of_one_index_even_on_request() throws IOException {
        Path file = file("namespaces:\n  - name: one\n    index: two\n    path_field: path\n");

        assertThatThrownBy(() -> add(file, plain("two"), true))
                .hasMessageContaining("the namespace one already uses the index two; use --namespace one");
    }

    @Test
    void does_not_change_a_file_that_it_cannot_extend_or_read() throws IOException {
        String flow = "namespaces: [{ name: one, index: one, path_field: path }]\n";
        Path file = file(flow);

        assertThatThrownBy(() -> add(file, plain("two"), false)).hasMessageContaining("add the definition by hand");
        assertThat(Files.readString(file)).isEqualTo(flow);

        file("namespaces:\n  - name: one\n");
        assertThatThrownBy(() -> add(file, plain("two"), false)).hasMessageContaining("index: is missing");
    }
}
