package org.treerename.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.treerename.runtime.Printable;

/**
 * Writes JSON as YAML, in block style. A text is quoted unless every version of YAML reads it as a text. A quoted text
 * is written as a JSON string, which is also valid YAML.
 */
public final class Yaml {

    private static final String INDENT = "  ";

    /**
     * Matches the texts that contain no character with a meaning in YAML, and begin with a letter, a slash or an
     * underscore.
     */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/_][A-Za-z0-9/_.@+-]*( [A-Za-z0-9/_.@+-]+)*");

    /** Words that at least one version of YAML does not read as a text. */
    private static final Pattern NO_TEXT = Pattern.compile("(?i)true|false|yes|no|on|off|y|n|null");

    private Yaml() {}

    /** Returns the lines of a YAML document that contains this value. */
    static List<String> lines(JsonNode value) {
        List<String> lines = new ArrayList<>();
        if (isBlock(value)) {
            block(value, "", lines);
        } else {
            lines.add(scalar(value));
        }
        return lines;
    }

    /** Returns the lines of one element of a top-level list. */
    static List<String> elementLines(JsonNode value) {
        List<String> lines = new ArrayList<>();
        element(value, "", lines);
        return lines;
    }

    private static boolean isBlock(JsonNode value) {
        return value.isContainerNode() && !value.isEmpty();
    }

    private static void block(JsonNode value, String indent, List<String> lines) {
        if (value.isArray()) {
            value.forEach(element -> element(element, indent, lines));
            return;
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String key = indent + text(field.getKey()) + ":";
            if (isBlock(field.getValue())) {
                lines.add(key);
                block(field.getValue(), indent + INDENT, lines);
            } else {
                lines.add(key + " " + scalar(field.getValue()));
            }
        }
    }

    private static void element(JsonNode value, String indent, List<String> lines) {
        if (!isBlock(value)) {
            lines.add(indent + "- " + scalar(value));
            return;
        }
        int first = lines.size();
        block(value, indent + INDENT, lines);
        lines.set(first, indent + "- " + lines.get(first).substring(indent.length() + INDENT.length()));
    }

    private static String scalar(JsonNode value) {
        return value.isTextual() ? text(value.textValue()) : Printable.of(value.toString());
    }

    /** Returns a text as a scalar on one line. No character of the line can change the state of a terminal. */
    public static String text(String text) {
        boolean isPlain =
                PLAIN.matcher(text).matches() && !NO_TEXT.matcher(text).matches();
        return isPlain ? text : Printable.of(TextNode.valueOf(text).toString());
    }
}
