package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * The field that searches use to find documents by their paths, and the changes to the mappings that this field
 * requires. Searches compare whole paths ({@code term}, {@code terms}, {@code range}), and sort and count by paths. So
 * searches need a {@code keyword} with {@code index} and {@code doc_values}, and without a normalizer. The {@code
 * ignore_above} of the keyword must not be smaller than the length of the longest path. If the path of a document is
 * longer than {@code ignore_above}, a search does not find the document. So a rename would not move the document.
 *
 * <p>The choice of the field depends only on the mappings and the settings of the indices. A mapping can be changed in
 * place in these ways only:
 *
 * <ul>
 *   <li>The {@code ignore_above} of a keyword can be raised. Elasticsearch does not index the documents again.
 *       If the path of a document exceeds the old limit, a search finds the document only after the document is indexed
 *       again.
 *   <li>A sub-field can be added. A document has no value in the sub-field until the document is indexed again.
 *   <li>A field that is not mapped can be added. After this change, the documents must be indexed again.
 * </ul>
 */
public final class PathMapping {

    /** The smallest {@code ignore_above} with which searches find every path, in UTF-16 characters. */
    public static final int LONGEST = 2 * TreePath.MAX_CODE_POINTS;

    /** The names that a new sub-field may have, in the order of preference. */
    private static final List<String> NEW_NAMES = List.of("keyword", "exact", "whole_path");

    /** A kind of change to a mapping. */
    public enum Step {
        NOTHING(0),
        RAISE_LIMIT(1),
        ADD_SUB_FIELD(100),
        ADD_FIELD(100);

        private final int cost;

        Step(int cost) {
            this.cost = cost;
        }
    }

    /**
     * The change to the mapping of one index.
     *
     * @param index the concrete index
     * @param body the body of the request {@code PUT /INDEX/_mapping}; empty if nothing changes
     * @param query a query for the documents that must be indexed again after this change
     */
    public record Change(String index, Step step, JsonNode body, JsonNode query) {}

    private final String field;
    private final @Nullable String sub;
    private final List<Change> changes;

    private PathMapping(String field, @Nullable String sub, List<Change> changes) {
        this.field = field;
        this.sub = sub;
        this.changes = List.copyOf(changes);
    }

    /**
     * Chooses the path field or one of its sub-fields: the field whose changes have the lowest cost. Returns empty if
     * no change to the mappings is sufficient. In this case, the documents must be indexed into a new index.
     *
     * @param indices the answer to {@code GET /INDEX?include_defaults=true}: the concrete indices by their names
     * @param field the path field
     */
    public static Optional<PathMapping> of(JsonNode indices, String field) {
        List<@Nullable String> candidates = new ArrayList<>();
        candidates.add(null);
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode index : indices) {
            MappedField.find(index.path("mappings"), field)
                    .ifPresent(
                            found -> found.mapping().path("fields").fieldNames().forEachRemaining(names::add));
        }
        names.addAll(NEW_NAMES);
        candidates.addAll(names);
        PathMapping best = null;
        for (String candidate : candidates) {
            PathMapping found = by(indices, field, candidate);
            if (found != null && (best == null || found.cost() < best.cost())) {
                best = found;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns the changes that are necessary if searches use this sub-field; null if no changes are sufficient. */
    private static @Nullable PathMapping by(JsonNode indices, String field, @Nullable String sub) {
        List<Change> changes = new ArrayList<>();
        for (Map.Entry<String, JsonNode> index : indices.properties()) {
            Change change = new MappingChange(index.getKey(), index.getValue(), field, sub).change();
            if (change == null) {
                return null;
            }
            changes.add(change);
        }
        return new PathMapping(field, sub, changes);
    }

    private int cost() {
        return changes.stream().mapToInt(change -> change.step().cost).sum();
    }

    /** Returns the whole name of the sub-field that searches use; empty if searches use the path field itself. */
    public Optional<String> keyword() {
        return Optional.ofNullable(sub).map(name -> field + "." + name);
    }

    /** Returns the field that searches use. */
    public String searched() {
        return keyword().orElse(field);
    }

    /** Returns one change for each concrete index. */
    public List<Change> changes() {
        return changes;
    }

    /** Returns a text with the actions after which searches find all documents of one index. */
    String inWords(String index, @Nullable String present) {
        Change change = changes.getFirst();
        List<String> actions = new ArrayList<>();
        String put = "PUT /" + index + "/_mapping " + change.body();
        switch (change.step()) {
            case NOTHING -> {}
            case RAISE_LIMIT ->
                actions.add("raise ignore_above of " + searched() + " to " + LONGEST + " (" + put + ")");
            case ADD_SUB_FIELD -> actions.add("add the sub-field " + searched() + " of type keyword (" + put + ")");
            case ADD_FIELD -> actions.add("map " + field + " as a keyword (" + put + ")");
        }
        if (change.step() != Step.NOTHING) {
            String which = change.step() == Step.RAISE_LIMIT ? "the documents with longer paths" : "the documents";
            actions.add("index " + which + " again (POST /" + index + "/_update_by_query)");
        }
        if (!searched().equals(present)) {
            keyword().ifPresent(keyword -> actions.add("set path_keyword: " + keyword + " in the definition"));
        }
        String all = actions.size() < 2
                ? String.join("", actions)
                : String.join(", ", actions.subList(0, actions.size() - 1)) + ", and " + actions.getLast();
        return all + "; rename-admin init " + index + " --path-field=" + field + " prints the requests";
    }

    /**
     * Returns a query for the documents that have a value in the path field, but are not found by searches. Either the
     * value is longer than {@code ignore_above}, or the document was indexed before the sub-field was added.
     *
     * @param searched the field that searches use
     */
    public static JsonNode hidden(String field, String searched) {
        ObjectNode query = Json.object();
        ObjectNode bool = query.putObject("bool").put("minimum_should_match", 1);
        ArrayNode should = bool.putArray("should");
        if (!searched.equals(field)) {
            should.addObject().putObject("exists").put("field", field);
            should.addObject().putObject("term").put("_ignored", field);
        }
        should.addObject().putObject("term").put("_ignored", searched);
        bool.putArray("must_not").addObject().putObject("exists").put("field", searched);
        return query;
    }

    /** Returns a query for all documents without a value in the field that searches use. */
    public static JsonNode notFound(String searched) {
        ObjectNode query = Json.object();
        query.putObject("bool")
                .putArray("must_not")
                .addObject()
                .putObject("exists")
                .put("field", searched);
        return query;
    }

    /** Returns the {@code ignore_above} of a keyword in an index, or the default of the index. */
    static int ignoreAbove(JsonNode index, JsonNode keyword) {
        return keyword.path("ignore_above").asInt(defaultIgnoreAbove(index));
    }

    private static int defaultIgnoreAbove(JsonNode index) {
        for (String from : List.of("settings", "defaults")) {
            JsonNode set = index.path(from).path("index").path("mapping").path("ignore_above");
            if (set.isValueNode()) {
                return Integer.parseInt(set.asText());
            }
        }
        return Integer.MAX_VALUE;
    }
}
