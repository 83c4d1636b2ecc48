package org.treerename.namespace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.path.Notation;
import org.treerename.runtime.YamlFile;

/**
 * Reads definitions of namespaces from YAML. {@code name}, {@code index} and {@code path_field} are required. The
 * following example shows the default of each optional field. If the comment of a field begins with {@code none}, the
 * field has no default:
 *
 * <pre>{@code
 * namespaces:
 *   - name: files
 *     index: files                     # or an alias
 *     separator: /                     # 1 to 8 characters
 *     leading_separator: true          # if the separator is not /, the default is false
 *     quoted_segments: false
 *     path_field: path
 *     path_keyword:                    # none; a sub-field of the path field, by which documents are found
 *     path_holds: path                 # or directory: the name field completes the path
 *     parent_field: parent             # none
 *     name_field: name                 # none
 *     depth_field: depth               # none
 *     ancestors_field: ancestors       # none
 *     reference_fields: [see_also]     # none
 *     prefixed_fields: [url]           # none
 *     directory_field: type            # none
 *     directory_value: directory       # none
 *     granularity: tree
 *     ordering_depth: 1
 *     version: seq_no
 *     version_field: row_version       # none; only if the version is external_gte
 *     documents_per_second: 0
 * }</pre>
 */
public final class NamespaceFile {

    /** The maximum number of namespaces in a file. */
    private static final int MOST = 1_000;

    private static final Set<String> FIELDS = Set.of(
            "name",
            "index",
            "separator",
            "leading_separator",
            "quoted_segments",
            "path_field",
            "path_keyword",
            "path_holds",
            "parent_field",
            "name_field",
            "depth_field",
            "ancestors_field",
            "reference_fields",
            "prefixed_fields",
            "directory_field",
            "directory_value",
            "granularity",
            "ordering_depth",
            "version",
            "version_field",
            "documents_per_second");

    private NamespaceFile() {}

    /**
     * Returns the namespaces that a file defines, in the order of the file.
     *
     * @throws IllegalArgumentException if the file cannot be read, or a definition is not valid. If a definition is not
     *     valid, the message contains the line and the field
     */
    public static List<Namespace> read(Path file) {
        YamlFile yaml = new YamlFile(file, "file of namespaces");
        Node root = yaml.root("not YAML: ")
                .orElseThrow(
                        () -> new IllegalArgumentException(file + " is empty; it must contain the key namespaces"));
        return namespaces(new YamlNode(yaml, yaml.kind(), root));
    }

    private static List<Namespace> namespaces(YamlNode file) {
        file.allow(Set.of("namespaces"));
        List<Namespace> read = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        Map<String, String> indices = new HashMap<>();
        for (YamlNode definition : file.mappings("namespaces", "namespace", MOST)) {
            Namespace namespace = namespace(definition);
            if (names.put(namespace.name(), namespace.name()) != null) {
                throw definition.problem("name", "the namespace " + namespace.name() + " is defined twice");
            }
            String other = indices.put(namespace.index(), namespace.name());
            if (other != null) {
                throw definition.problem("index", "the namespace " + other + " already uses this index");
            }
            read.add(namespace);
        }
        return List.copyOf(read);
    }

    private static Namespace namespace(YamlNode from) {
        from.allow(FIELDS);
        String name = from.required("name");
        String index = from.made("index", () -> {
            String given = from.required("index");
            Namespace.requireIndex(given);
            return given;
        });
        String separator = from.text("separator", Notation.SLASHES.separator());
        boolean leading = from.flag("leading_separator", separator.equals(Notation.SLASHES.separator()));
        Notation notation =
                from.made("separator", () -> new Notation(separator, leading, from.flag("quoted_segments", false)));
        Fields fields = from.made(
                "path_field",
                () -> new Fields(
                        from.required("path_field"),
                        from.textOrNull("path_keyword"),
                        from.oneOf("path_holds", Fields.Holds.PATH),
                        from.textOrNull("parent_field"),
                        from.textOrNull("name_field"),
                        from.textOrNull("depth_field"),
                        from.textOrNull("ancestors_field"),
                        from.texts("reference_fields"),
                        from.texts("prefixed_fields")));
        Directories directories = directories(from);
        Rules rules = from.made(
                "ordering_depth",
                () -> new Rules(
                        from.oneOf("granularity", Granularity.TREE),
                        from.number("ordering_depth", Rules.DEFAULT.orderingDepth()),
                        from.oneOf("version", VersionOwner.SEQ_NO),
                        from.textOrNull("version_field"),
                        from.number("documents_per_second", 0)));
        return from.made("name", () -> new Namespace(name, index, notation, fields, directories, rules));
    }

    private static @Nullable Directories directories(YamlNode from) {
        String field = from.textOrNull("directory_field");
        String value = from.textOrNull("directory_value");
        if (field == null && value == null) {
            return null;
        }
        if (field == null || value == null) {
            throw from.problem(
                    field == null ? "directory_value" : "directory_field",
                    "directory_field and directory_value must be given together");
        }
        return from.made("directory_field", () -> new Directories(field, value));
    }
}
