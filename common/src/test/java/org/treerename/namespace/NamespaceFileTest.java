package org.treerename.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.path.Notation;

class NamespaceFileTest {

    @TempDir
    private Path folder;

    private List<Namespace> read(String yaml) throws IOException {
        return NamespaceFile.read(Files.writeString(folder.resolve("namespaces.yaml"), yaml));
    }

    @Test
    void missing_fields_have_their_defaults() throws IOException {
        assertThat(read("""
                namespaces:
                  - { name: plain, index: plain, path_field: path }
                """)).containsExactly(new Namespace("plain", "plain", "path", null, null, null));
    }

    @Test
    void reads_every_field() throws IOException {
        assertThat(read("""
                namespaces:
                  - name: terms
                    index: terms-alias
                    separator: "::"
                    leading_separator: true
                    quoted_segments: true
                    path_field: fqn.directory
                    path_keyword: fqn.directory.exact
                    path_holds: directory
                    parent_field: parent
                    name_field: name
                    depth_field: depth
                    ancestors_field: above
                    reference_fields: [tags, see.also]
                    prefixed_fields: [url]
                    directory_field: kind
                    directory_value: dir
                    granularity: document
                    ordering_depth: 0
                    version: external_gte
                    version_field: row_version
                    documents_per_second: 500
                  - name: files
                    index: files
                    path_field: path
                    parent_field:
                """))
                .containsExactly(
                        new Namespace(
                                "terms",
                                "terms-alias",
                                new Notation("::", true, true),
                                new Fields(
                                        "fqn.directory",
                                        "fqn.directory.exact",
                                        Fields.Holds.DIRECTORY,
                                        "parent",
                                        "name",
                                        "depth",
                                        "above",
                                        List.of("tags", "see.also"),
                                        List.of("url")),
                                new Directories("kind", "dir"),
                                new Rules(Granularity.DOCUMENT, 0, VersionOwner.EXTERNAL_GTE, "row_version", 500)),
                        new Namespace("files", "files", "path", null, null, null));
    }

    @Test
    void only_the_slash_is_a_leading_separator_by_default() throws IOException {
        assertThat(read("namespaces: [{ name: a, index: a, path_field: p, separator: . }]")
                        .getFirst()
                        .notation())
                .isEqualTo(new Notation(".", false, false));
        assertThat(read("namespaces: []")).isEmpty();
    }

    @ParameterizedTest(name = "{0} in line {1}: {2}")
    @CsvSource(
            delimiter = ';',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "    path_feild: x; 5; path_feild: unknown field of a namespace; did you mean path_field?",
                "    nonsense: x; 5; nonsense: unknown field of a namespace; the known fields are [",
                "    granularity: trees; 5; granularity: expected tree or document or global, found trees",
                "    ordering_depth: 11; 5; ordering_depth must be 0 to 10, found 11",
                "    ordering_depth: deep; 5; ordering_depth: expected a whole number, found deep",
                "    quoted_segments: yes; 5; quoted_segments: expected true or false, found yes",
                "    separator: ab; 5; separator: a separator must not contain a quote",
                "    reference_fields: tags; 5; reference_fields: expected a list",
                "    parent_field: path; 4; path_field: expected a different field for each setting, found path in two settings",
                "    parent_field: [a]; 5; parent_field: expected a single value",
                "    directory_field: type; 5; directory_field: directory_field and directory_value must be given together",
                "    path_holds: directory; 4; path_field: name_field is required if path_field contains the directory",
                "    path_keyword: fqn.x; 5; path_keyword must be a sub-field of path_field",
                "    prefixed_fields: [path]; 4; path_field: expected a different field for each setting, found path in two settings",
                "  - { name: other, index: O, path_field: p }; 5; index: an index or alias must match",
                "  - { name: other, index: .., path_field: p }; 5; index: an index or alias must match",
                "    path_field: again; 5; path_field: is defined twice",
                "    version_field: row; 5; version_field requires version external_gte, found seq_no",
                "    documents_per_second: -1; 5; documents_per_second must be at least 1",
                "  - { name: files, index: other, path_field: p }; 5; name: the namespace files is defined twice",
                "  - { name: other, index: files, path_field: p }; 5; index: the namespace files already uses this index",
                "  - { name: other, path_field: p }; 5; index: is missing in a namespace",
                "  - { name: Other, index: o, path_field: p }; 5; name: the name of a namespace must match",
                "  - other; 5; expected a namespace: a mapping of fields to values",
                "    other: \"x; ; not YAML",
            })
    void reports_an_invalid_definition_with_its_line_and_field(String line, String number, String words) {
        String yaml = "namespaces:\n  - name: files\n    index: files\n    path_field: path\n" + line + "\n";
        String where = number.isBlank() ? "" : ", line " + number.strip() + ":";

        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespaces.yaml" + where)
                .hasMessageContaining(words.strip());
    }

    @Test
    void reports_a_file_without_namespaces() {
        assertThatThrownBy(() -> read("")).hasMessageContaining("empty");
        assertThatThrownBy(() -> read("- a")).hasMessageContaining("line 1: expected a file of namespaces");
        assertThatThrownBy(() -> read("namespace: []")).hasMessageContaining("did you mean namespaces?");
        assertThatThrownBy(() -> NamespaceFile.read(folder.resolve("none")))
                .hasMessageContaining("cannot read the file of namespaces");
    }
}
