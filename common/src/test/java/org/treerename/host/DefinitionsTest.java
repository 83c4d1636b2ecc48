package org.treerename.host;

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
import org.treerename.path.InMemoryNamespaces;
import org.treerename.path.Namespace;
import org.treerename.path.TreeProblem;
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
            throw new NoAnswerException("nobody", null);
        }
        return namespace.name().equals("bad") ? problems : List.of();
    }

    /** Each text of another length, so that each is a change whatever the file's time is counted in. */
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
    void what_the_file_says_is_defined_when_a_process_begins() throws IOException {
        write("a", "b");
        definitions().begin();
        definitions().begin();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("b"));
    }

    @Test
    void what_is_new_in_the_file_is_taken_up_and_what_is_gone_stays() throws IOException {
        write("a");
        Definitions definitions = definitions();
        definitions.begin();
        definitions.look();
        assertThat(namespaces.all()).containsExactly(plain("a"));

        write("b", "c");
        definitions.look();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("b"), plain("c"));
    }

    @Test
    void another_definition_of_the_same_name_is_refused_at_the_beginning_and_left_alone_later() throws IOException {
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
        definitions.look();
        assertThat(namespaces.all()).containsExactly(files, plain("b"), plain("c"));
    }

    @Test
    void what_cannot_be_renamed_is_refused_at_the_beginning_and_tried_again_later() throws IOException {
        problems.add(TreeProblem.lasting("the field path is of type text", "map it"));
        write("bad");
        assertThatThrownBy(() -> definitions().begin())
                .hasMessageContaining("the namespace bad: the field path is of type text; map it");
        assertThat(namespaces.all()).isEmpty();

        write("ab");
        Definitions definitions = definitions();
        definitions.begin();
        write("ab", "bad");
        definitions.look();
        assertThat(namespaces.find("bad")).isEmpty();
        problems.clear();
        definitions.look();
        assertThat(namespaces.find("bad")).contains(plain("bad"));
    }

    @Test
    void what_may_pass_is_waited_for() throws IOException {
        problems.add(TreeProblem.passing("there is no index bad", "create it"));
        write("bad", "a");
        Definitions definitions = definitions();
        definitions.begin();
        assertThat(namespaces.all()).containsExactly(plain("a"));
        silent = true;
        assertThatCode(definitions::look).doesNotThrowAnyException();
        silent = false;
        problems.clear();
        definitions.look();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("bad"));
    }

    @Test
    void a_file_that_is_none_any_more_changes_nothing() throws IOException {
        write("a");
        Definitions definitions = definitions();
        definitions.begin();
        Files.writeString(folder.resolve("namespaces.yaml"), "namespaces: [");
        definitions.look();
        Files.delete(folder.resolve("namespaces.yaml"));
        definitions.look();
        write("a", "b");
        definitions.look();
        assertThat(namespaces.all()).containsExactly(plain("a"), plain("b"));
    }
}
