package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;

class DefinitionsTest {

    @TempDir
    private Path folder;

    private final InMemoryNamespaces namespaces = new InMemoryNamespaces();
    private final List<TreeProblem> problems = new ArrayList<>();
    private boolean silent;

    private Definitions definitions() {
        return new Definitions(folder.resolve("namespaces.yaml"), namespaces, this::check);
    }

    private List<TreeProblem> check(Namespace namespace) {
        if (silent) {
            throw new NoAnswerException("no answer", null);
        }
        return namespace.name().equals("bad") ? problems : List.of();
    }

    /**
     * Writes the file. The texts that one test writes have different lengths. So a reader detects each write, even if
     * the modification time of the file does not change.
     */
    private void write(String... names) throws IOException {
        StringBuilder text = new StringBuilder("namespaces:\n");
        for (String name : names) {
            text.append("  - { name: %s, index: %s, path_field: path }%n".formatted(name, name));
        }
        Files.writeString(folder.resolve("namespaces.yaml"), text);
    }

    private static Namespace plain(String name) {
        return new Namespace(name, name, "path", null, null, null);
    }

    @Test
    void defines_the_namespaces_of_the_file_when_a_process_starts() throws IOException {
        write("a", "b");
        definitions().begin();
        definitions().begin();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("b"));
    }

    @Test
    void defines_new_namespaces_of_the_file_and_keeps_removed_ones() throws IOException {
        write("a");
        Definitions definitions = definitions();
        definitions.begin();
        definitions.poll();
        assertThat(namespaces.all()).containsExactly(plain("a"));

        write("b", "c");
        definitions.poll();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("b"), plain("c"));
    }

    @Test
    void refuses_a_different_definition_at_the_start_and_ignores_it_later() throws IOException {
        Namespace files = Namespace.ofFiles("a", "a");
        namespaces.define(files);
        write("a");
        assertThatThrownBy(() -> definitions().begin())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespaces.yaml: the namespace a: it is defined as")
                .hasMessageContaining("--replace");

        write("b");
        Definitions definitions = definitions();
        definitions.begin();
        write("a", "b", "c");
        definitions.poll();
        assertThat(namespaces.all()).containsExactly(files, plain("b"), plain("c"));
    }

    @Test
    void refuses_an_unusable_index_at_the_start_and_retries_it_later() throws IOException {
        problems.add(TreeProblem.lasting("the field path is of type text", "map it"));
        write("bad");
        assertThatThrownBy(() -> definitions().begin())
                .hasMessageContaining("the namespace bad: the field path is of type text; map it");
        assertThat(namespaces.all()).isEmpty();

        write("ab");
        Definitions definitions = definitions();
        definitions.begin();
        write("ab", "bad");
        definitions.poll();
        assertThat(namespaces.find("bad")).isEmpty();
        problems.clear();
        definitions.poll();
        assertThat(namespaces.find("bad")).contains(plain("bad"));
    }

    @Test
    void retries_a_namespace_with_a_temporary_problem() throws IOException {
        problems.add(TreeProblem.passing("there is no index bad", "create it"));
        write("bad", "a");
        Definitions definitions = definitions();
        definitions.begin();
        assertThat(namespaces.all()).containsExactly(plain("a"));
        silent = true;
        assertThatCode(definitions::poll).doesNotThrowAnyException();
        silent = false;
        problems.clear();
        definitions.poll();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("bad"));
    }

    @Test
    void a_broken_or_deleted_file_changes_nothing() throws IOException {
        write("a");
        Definitions definitions = definitions();
        definitions.begin();
        Files.writeString(folder.resolve("namespaces.yaml"), "namespaces: [");
        definitions.poll();
        Files.delete(folder.resolve("namespaces.yaml"));
        definitions.poll();
        write("a", "b");
        definitions.poll();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("b"));
    }
}
