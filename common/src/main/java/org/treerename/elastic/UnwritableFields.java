package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;

/**
 * Finds fields in a mapping that would make moves impossible. Elasticsearch would refuse the new text of a field, or a
 * document has its path only in the index, because {@code copy_to} copies it from another field.
 */
record UnwritableFields(Namespace namespace, String index, JsonNode mappings) {

    /** The types that do not accept every text. */
    private static final Set<String> PICKY = Set.of(
            "boolean",
            "byte",
            "constant_keyword",
            "date",
            "date_nanos",
            "double",
            "float",
            "geo_point",
            "geo_shape",
            "half_float",
            "integer",
            "ip",
            "long",
            "point",
            "scaled_float",
            "shape",
            "short",
            "unsigned_long");

    private static final String MEND =
            "map the field as a keyword in a new index, index the documents again, and point the alias to the new index";

    List<TreeProblem> problems() {
        List<TreeProblem> problems = new ArrayList<>();
        String depth = namespace.fields().depth();
        for (String field : namespace.fields().all()) {
            if (!field.equals(depth)) {
                refusing(field).forEach(problems::add);
            }
        }
        copies("", mappings, problems);
        return problems;
    }

    /** A searched field itself must be a keyword, so another check reports it. */
    private Stream<TreeProblem> refusing(String field) {
        return MappedField.find(mappings, field).stream().flatMap(found -> {
            Stream<TreeProblem> own = namespace.fields().searched().contains(field)
                    ? Stream.empty()
                    : picky(field, field, found.mapping());
            Stream<TreeProblem> subs = found.mapping().path("fields").properties().stream()
                    .flatMap(sub -> picky(field, field + "." + sub.getKey(), sub.getValue()));
            Stream<TreeProblem> copies = targets(found.mapping()).stream()
                    .flatMap(target -> MappedField.find(mappings, target).stream()
                            .flatMap(copy -> picky(field, target, copy.mapping())));
            return Stream.of(own, subs, copies).flatMap(one -> one);
        });
    }

    private Stream<TreeProblem> picky(String field, String receiver, JsonNode mapping) {
        String type = mapping.path("type").asText("");
        if (!PICKY.contains(type) || mapping.path("ignore_malformed").asBoolean(false)) {
            return Stream.empty();
        }
        String which = receiver.equals(field) ? "" : ", which receives the text of the field " + field + ",";
        return Stream.of(TreeProblem.lasting(
                "the field " + receiver + which + " is of type " + type + " in the index " + index
                        + ", which does not accept every text, so renames to other names would be parked",
                MEND));
    }

    private void copies(String above, JsonNode object, List<TreeProblem> problems) {
        for (Map.Entry<String, JsonNode> property : object.path("properties").properties()) {
            String field = above + property.getKey();
            for (String target : targets(property.getValue())) {
                if (namespace.fields().pathFields().contains(target)) {
                    problems.add(TreeProblem.lasting(
                            "the field " + field + " is copied into the field " + target + " (copy_to) in the index "
                                    + index + ", so searches find documents at a path that their _source does not"
                                    + " contain",
                            "use the field " + field
                                    + " in the definition, or remove copy_to from its mapping and index"
                                    + " the documents again"));
                }
            }
            copies(field + ".", property.getValue(), problems);
        }
    }

    private static List<String> targets(JsonNode mapping) {
        JsonNode copyTo = mapping.path("copy_to");
        List<String> targets = new ArrayList<>();
        if (copyTo.isTextual()) {
            targets.add(copyTo.asText());
        }
        copyTo.forEach(target -> targets.add(target.asText()));
        return targets;
    }
}
