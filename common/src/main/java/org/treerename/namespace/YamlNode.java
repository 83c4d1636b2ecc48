package org.treerename.namespace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.treerename.runtime.SimilarName;
import org.treerename.runtime.YamlFile;

/**
 * A mapping of a YAML file, with access to its fields by name. The message of each problem contains the line and the
 * field.
 */
final class YamlNode {

    private final YamlFile file;
    private final String what;
    private final Node node;
    private final Map<String, NodeTuple> fields = new LinkedHashMap<>();

    /**
     * @param what the kind of the mapping, for messages
     * @throws IllegalArgumentException if the node is not a mapping, or contains a field twice
     */
    YamlNode(YamlFile file, String what, Node node) {
        this.file = file;
        this.what = what;
        this.node = node;
        if (!(node instanceof MappingNode mapping)) {
            throw file.problem(
                    node, "expected a " + what + ": a mapping of fields to values, found a list or a single value");
        }
        for (NodeTuple field : mapping.getValue()) {
            String name = field.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
            if (name.isEmpty()) {
                throw file.problem(
                        field.getKeyNode(), "expected the name of a field, found an empty text, a list or a mapping");
            }
            if (fields.put(name, field) != null) {
                throw file.problem(field.getKeyNode(), name + ": is defined twice");
            }
        }
    }

    /** Throws if the name of a field is not one of the given names. */
    void allow(Set<String> names) {
        fields.forEach((name, field) -> {
            if (!names.contains(name)) {
                String hint = SimilarName.to(name, new TreeSet<>(names))
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("; the known fields are " + new TreeSet<>(names));
                throw file.problem(field.getKeyNode(), name + ": unknown field of a " + what + hint);
            }
        });
    }

    IllegalArgumentException problem(String field, String message) {
        NodeTuple there = fields.get(field);
        return file.problem(there == null ? node : there.getKeyNode(), field + ": " + message);
    }

    /**
     * Returns the result of a function. If the function throws, this method adds the file and the line of a field to
     * the message of the exception. If the first word of the message is the name of a field, the line is the line of
     * this field. Otherwise the line is the line of the given field.
     */
    <T> T made(String field, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith(file.path().toString())) {
                throw e;
            }
            NodeTuple named = fields.get(message.split(" ", 2)[0]);
            throw named == null ? problem(field, message) : file.problem(named.getKeyNode(), message);
        }
    }

    private @Nullable Node value(String field) {
        NodeTuple there = fields.get(field);
        return there == null || there.getValueNode().getTag().equals(Tag.NULL) ? null : there.getValueNode();
    }

    @Nullable
    String textOrNull(String field) {
        Node value = value(field);
        return value == null ? null : text(field, value);
    }

    private String text(String field, Node value) {
        if (value instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw problem(field, "expected a single value, found a list or a mapping");
    }

    String text(String field, String otherwise) {
        String text = textOrNull(field);
        return text == null ? otherwise : text;
    }

    String required(String field) {
        String text = textOrNull(field);
        if (text == null) {
            throw problem(field, "is missing in a " + what);
        }
        return text;
    }

    boolean flag(String field, boolean otherwise) {
        String text = text(field, String.valueOf(otherwise));
        if (!text.equals("true") && !text.equals("false")) {
            throw problem(field, "expected true or false, found " + text);
        }
        return text.equals("true");
    }

    int number(String field, int otherwise) {
        String text = text(field, String.valueOf(otherwise));
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw problem(field, "expected a whole number, found " + text);
        }
    }

    <E extends Enum<E>> E oneOf(String field, E otherwise) {
        String text = text(field, otherwise.name().toLowerCase(Locale.ROOT));
        List<E> all = List.of(otherwise.getDeclaringClass().getEnumConstants());
        return all.stream()
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> problem(
                        field,
                        "expected "
                                + all.stream()
                                        .map(one -> one.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(" or "))
                                + ", found " + text));
    }

    List<String> texts(String field) {
        return elements(field).map(element -> text(field, element)).toList();
    }

    /**
     * Returns the mappings in the list that is the value of a field. Throws if an element is not a mapping, or if there
     * are more than {@code most} elements.
     */
    List<YamlNode> mappings(String field, String what, int most) {
        List<YamlNode> mappings = new ArrayList<>();
        elements(field).limit(most + 1L).forEach(element -> mappings.add(new YamlNode(file, what, element)));
        if (mappings.size() > most) {
            throw problem(field, "expected at most " + most + " elements, found more");
        }
        return mappings;
    }

    private Stream<Node> elements(String field) {
        Node value = value(field);
        if (value == null) {
            return Stream.of();
        }
        if (value instanceof SequenceNode sequence) {
            return sequence.getValue().stream();
        }
        throw problem(field, "expected a list, found a single value or a mapping");
    }
}
