package org.treerename.namespace;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.path.Notation;

/** Creates a namespace from its definition, and checks each field of the definition. */
final class Definition {

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

    private Definition() {}

    static Namespace read(YamlNode from) {
        from.allow(FIELDS);
        String name = from.required("name");
        String index = from.required("index");
        from.check("index", () -> Namespace.requireIndex(index));
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
