package org.treerename.janitor.proposal;

import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.path.Notation;
import org.treerename.runtime.Printable;

/** Writes a definition of a namespace as YAML. Fields that have their default values are omitted. */
public final class DefinitionText {

    /** Texts without a character that has a meaning in YAML. They begin with a letter, a slash or an underscore. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/_][A-Za-z0-9/_.@+-]*( [A-Za-z0-9/_.@+-]+)*");

    /** Words that at least one version of YAML does not read as a text. */
    private static final Pattern NO_TEXT = Pattern.compile("(?i)true|false|yes|no|on|off|y|n|null");

    private DefinitionText() {}

    /** Returns the lines of the definition as an element of a list, with this number of spaces before the dash. */
    public static List<String> lines(Namespace namespace, int indent) {
        List<String> fields = new ArrayList<>();
        add(fields, "name", namespace.name());
        add(fields, "index", namespace.index());
        notation(fields, namespace.notation());
        fields(fields, namespace.fields());
        namespace.directoryDocuments().ifPresent(directories -> {
            add(fields, "directory_field", directories.field());
            add(fields, "directory_value", directories.value());
        });
        List<String> lines = new ArrayList<>();
        String before = " ".repeat(indent);
        for (String field : fields) {
            lines.add(before + (lines.isEmpty() ? "- " : "  ") + field);
        }
        return lines;
    }

    private static void notation(List<String> fields, Notation notation) {
        boolean isSlash = notation.separator().equals(Notation.SLASHES.separator());
        if (!isSlash) {
            add(fields, "separator", notation.separator());
        }
        if (notation.leading() != isSlash) {
            fields.add("leading_separator: " + notation.leading());
        }
        if (notation.quoted()) {
            fields.add("quoted_segments: true");
        }
    }

    private static void fields(List<String> lines, Fields fields) {
        add(lines, "path_field", fields.path());
        add(lines, "path_keyword", fields.keyword());
        if (fields.holds() != Fields.Holds.PATH) {
            add(lines, "path_holds", fields.holds().stored());
        }
        add(lines, "parent_field", fields.parent());
        add(lines, "name_field", fields.name());
        add(lines, "depth_field", fields.depth());
        add(lines, "ancestors_field", fields.ancestors());
        if (!fields.prefixed().isEmpty()) {
            lines.add("prefixed_fields: ["
                    + String.join(
                            ", ",
                            fields.prefixed().stream().map(DefinitionText::text).toList()) + "]");
        }
    }

    private static void add(List<String> lines, String field, @Nullable String value) {
        if (value != null) {
            lines.add(field + ": " + text(value));
        }
    }

    /** Returns a text as a scalar on one line. No character of the line can change the state of a terminal. */
    static String text(String text) {
        boolean isPlain =
                PLAIN.matcher(text).matches() && !NO_TEXT.matcher(text).matches();
        return isPlain ? text : Printable.of(TextNode.valueOf(text).toString());
    }
}
