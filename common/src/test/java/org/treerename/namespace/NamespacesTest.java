package org.treerename.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NamespacesTest {

    private final InMemoryNamespaces namespaces = new InMemoryNamespaces();

    @Test
    void a_required_namespace_is_returned() {
        Namespace files = new Namespace("files", "files", "path", null, null, null);
        namespaces.define(files);

        assertThat(namespaces.require("files")).isEqualTo(files);
    }

    @Test
    void the_error_of_a_missing_namespace_names_the_defined_namespaces() {
        namespaces.define(new Namespace("files", "files", "path", null, null, null));
        namespaces.define(new Namespace("terms", "terms", "path", null, null, null));

        assertThatThrownBy(() -> namespaces.require("file"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no namespace file; defined: files, terms");
    }

    @Test
    void the_error_of_a_missing_namespace_says_that_none_is_defined() {
        assertThatThrownBy(() -> namespaces.require("files"))
                .hasMessage("there is no namespace files; no namespace is defined");
    }
}
