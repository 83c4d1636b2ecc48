package org.treerename.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.path.Notation;

/** The tests that every store of namespace definitions must pass. */
public abstract class NamespacesContract {

    /** The beginning of every name that this test uses. */
    protected final String unique = "t" + UUID.randomUUID();

    protected abstract Namespaces namespaces();

    /** Returns another client of the same store, with an empty cache. */
    protected abstract Namespaces others();

    protected abstract void createIndex(String index);

    protected abstract void alias(String alias, String... indices);

    private Namespace files(String name, String index) {
        return Namespace.ofFiles(unique + name, unique + index);
    }

    @Test
    void does_not_find_an_undefined_namespace() {
        assertThat(namespaces().find(unique)).isEmpty();
    }

    @Test
    void all_clients_find_a_definition_at_once() {
        Namespace files = files("files", "index");

        namespaces().define(files);

        assertThat(namespaces().find(files.name())).contains(files);
        assertThat(others().find(files.name())).contains(files);
    }

    @Test
    void returns_a_definition_without_optional_fields() {
        Namespace plain = new Namespace(unique, unique + "index", "path", null, null, null);

        namespaces().define(plain);

        assertThat(others().find(unique)).contains(plain);
    }

    @Test
    void returns_a_definition_with_directories_and_path_fields() {
        Namespace full =
                new Namespace(unique, unique + "index", "p.full", "p.parent", "p.name", new Directories("kind", "ü"));

        namespaces().define(full);

        assertThat(others().find(unique)).contains(full);
    }

    @Test
    void returns_a_definition_of_another_notation_with_every_field_and_rule() {
        Namespace full = new Namespace(
                unique,
                unique + "index",
                new Notation("::", true, true),
                new Fields(
                        "dir",
                        "dir.exact",
                        Fields.Holds.DIRECTORY,
                        "up",
                        "name",
                        "depth",
                        "above",
                        List.of("tags", "see.also"),
                        List.of("url")),
                new Directories("kind", "dir"),
                new Rules(Granularity.GLOBAL, 3, VersionOwner.EXTERNAL_GTE, "row.version", 17));

        namespaces().define(full);

        assertThat(others().find(unique)).contains(full);
        assertThat(others().known(unique))
                .as("known namespace after it was found")
                .contains(full);
        assertThat(others().known()).contains(full);
        assertThat(others().known(unique + "-other")).isEmpty();
    }

    @Test
    void returns_all_definitions_in_the_order_of_their_names() {
        namespaces().define(files("b", "index-b"));
        namespaces().define(files("a", "index-a"));

        assertThat(others().all().stream().filter(namespace -> namespace.name().startsWith(unique)))
                .containsExactly(files("a", "index-a"), files("b", "index-b"));
    }

    @Test
    void the_same_definition_again_changes_nothing() {
        Namespace files = files("files", "index");
        createIndex(files.index());
        namespaces().define(files);

        others().define(files);

        assertThat(others().find(files.name())).contains(files);
    }

    @Test
    void refuses_a_different_definition_of_the_same_name() {
        Namespace files = files("files", "index");
        Namespace otherwise = new Namespace(files.name(), files.index(), "path", null, null, null);
        namespaces().define(files);

        assertThatThrownBy(() -> others().define(otherwise))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(files.name());
        assertThat(others().find(files.name())).contains(files);
    }

    @Test
    void an_index_belongs_to_one_namespace() {
        createIndex(unique + "index");
        namespaces().define(files("files", "index"));

        assertThatThrownBy(() -> others().define(files("again", "index")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(unique + "index");
        assertThat(others().find(unique + "again")).isEmpty();
    }

    @Test
    void an_index_behind_two_aliases_belongs_to_one_namespace() {
        createIndex(unique + "1");
        createIndex(unique + "2");
        createIndex(unique + "3");
        alias(unique + "one", unique + "1", unique + "2");
        alias(unique + "other", unique + "2", unique + "3");
        namespaces().define(files("files", "one"));

        assertThatThrownBy(() -> others().define(files("again", "other")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(unique + "2");
    }
}
