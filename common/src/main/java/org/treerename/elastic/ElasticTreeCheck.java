package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Checks whether the indices of a namespace permit renames. This class checks the mappings, settings and aliases of the
 * indices. If the security of Elasticsearch is on, this class also checks the privileges of this process.
 *
 * <p>A path has at most 4,096 code points. So a path has at most 16,384 bytes in UTF-8, and fits into a term of Lucene,
 * which may have 32,766 bytes. The setting {@code ignore_above} counts UTF-16 characters. A path has at most 8,192
 * UTF-16 characters.
 *
 * <p>This class reports synthetic {@code _source} as a problem. With synthetic {@code _source}, Elasticsearch changes
 * each document that it returns: it changes the order of the fields, sorts arrays and removes repeated values. So a
 * comparison of the documents before and after a move cannot prove that the move changed only the intended fields.
 */
public final class ElasticTreeCheck {

    /** The privileges on the index or alias of the namespace: to read the settings, to search and to refresh. */
    private static final List<String> OF_NAME = List.of("view_index_metadata", "read", "maintenance");

    /** The privileges on each concrete index. A privilege on its alias does not include them. */
    private static final List<String> OF_CONCRETE = List.of("read", "write");

    private final Elastic elastic;
    private final Rights rights;

    public ElasticTreeCheck(Elastic elastic) {
        this.elastic = elastic;
        this.rights = new Rights(elastic);
    }

    /**
     * Returns the problems that prevent the renames of a namespace; empty if there is no problem.
     *
     * @throws NoAnswerException if Elasticsearch does not answer
     */
    public List<TreeProblem> problems(Namespace namespace) {
        List<TreeProblem> forbidden = rights.missing(List.of(namespace.index()), OF_NAME);
        if (!forbidden.isEmpty()) {
            return forbidden;
        }
        Elastic.Answer answer = elastic.raw().get("/" + namespace.index() + "?include_defaults=true");
        if (answer.status() == 404) {
            return List.of(TreeProblem.passing(
                    "there is no index or alias " + namespace.index(), "create the index with its mapping"));
        }
        if (!answer.isOk()) {
            throw new NoAnswerException(
                    "cannot read the settings of " + namespace.index() + ": " + answer.json(), null);
        }
        List<String> concrete = new ArrayList<>();
        answer.json().fieldNames().forEachRemaining(concrete::add);
        List<TreeProblem> problems = new ArrayList<>(rights.missing(concrete, OF_CONCRETE));
        problems.addAll(hiding(concrete));
        for (Map.Entry<String, JsonNode> index : answer.json().properties()) {
            problems.addAll(problemsOf(namespace, index.getKey(), index.getValue()));
        }
        return problems;
    }

    /**
     * Returns the problems of one concrete index.
     *
     * @param index the aliases, mappings and settings of the index, and the defaults of its settings
     */
    static List<TreeProblem> problemsOf(Namespace namespace, String name, JsonNode index) {
        List<TreeProblem> problems = new ArrayList<>();
        new OneIndex(namespace, name, index, problems).poll();
        return problems;
    }

    private List<TreeProblem> hiding(List<String> concrete) {
        try {
            return rights.hiding(concrete);
        } catch (NoAnswerException | RefusedException e) {
            return List.of(TreeProblem.passing(
                    "it is unknown whether the role of this process hides fields or documents: " + e.getMessage(),
                    "correct the cause in this message"));
        }
    }

    /** Checks one concrete index, and adds each problem found to the list. */
    private record OneIndex(Namespace namespace, String name, JsonNode index, List<TreeProblem> problems) {

        void poll() {
            namespace.fields().searched().forEach(this::searchedField);
            if (Installation.isControlIndex(name)) {
                lasting("the locks and the journal are stored", "use another index for the namespace");
            }
            problems.addAll(new UnwritableFields(namespace, name, index.path("mappings")).problems());
            source();
            alias();
            settings();
        }

        private void lasting(String what, String mend) {
            problems.add(TreeProblem.lasting(what + " in the index " + name, mend));
        }

        private String setting(String key, String otherwise) {
            for (String from : List.of("settings", "defaults")) {
                JsonNode set = index.path(from).path("index");
                for (String part : key.split("\\.", -1)) {
                    set = set.path(part);
                }
                if (set.isValueNode()) {
                    return set.asText();
                }
            }
            return otherwise;
        }

        private void searchedField(String field) {
            JsonNode mapping = searchedMapping(field);
            String type = mapping.path("type").asText("");
            if (!index.path("mappings").path("runtime").path(field).isMissingNode()) {
                lasting("the field " + field + " is a runtime field", mend(field));
            } else if (mapping.isMissingNode()) {
                lasting(
                        "the field " + field
                                + " is not mapped, is a sub-field, or is inside a nested or disabled object",
                        mend(field));
            } else if (!type.equals("keyword")) {
                lasting("the field " + field + " is of type " + type + ", not keyword", mend(field));
            } else {
                keyword(field, mapping);
            }
        }

        private void keyword(String field, JsonNode mapping) {
            int ignored = PathMapping.ignoreAbove(index, mapping);
            if (ignored < PathMapping.LONGEST) {
                lasting(
                        "ignore_above of the field " + field + " is " + ignored + ", expected at least "
                                + PathMapping.LONGEST + ": searches would not find documents with longer values",
                        mend(field));
            }
            if (!mapping.path("index").asBoolean(true)
                    || !mapping.path("doc_values").asBoolean(true)) {
                lasting("the field " + field + " has index or doc_values set to false", mend(field));
            }
            if (mapping.has("null_value")) {
                lasting("searches find documents without a path at the null_value of the field " + field, mend(field));
            }
            if (mapping.has("normalizer")) {
                lasting("the field " + field + " has a normalizer, so different values would look equal", mend(field));
            }
        }

        /** For the path field, the action may add a sub-field. The name field itself must be a keyword. */
        private String mend(String field) {
            String path = namespace.pathField();
            Optional<String> whole = MappedField.ofSubField(index.path("mappings"), field);
            if (whole.isPresent() && namespace.fields().keyword() == null) {
                return "the field is a sub-field: set path_field: " + whole.get() + " and path_keyword: " + field
                        + " in the definition; rename-admin init " + name + " --path-field=" + whole.get()
                        + " proposes a definition";
            }
            boolean isPath = field.equals(namespace.fields().searched().getFirst());
            return (isPath ? PathMapping.of(Json.object().set(name, index), path) : Optional.<PathMapping>empty())
                    .map(mapping -> mapping.inWords(name, field))
                    .orElse("map the field as a keyword in a new index, index the documents again, and point the alias"
                            + " to the new index");
        }

        private JsonNode searchedMapping(String field) {
            String whole = namespace.pathField();
            return field.equals(namespace.fields().keyword())
                    ? mappingOf(whole).path("fields").path(field.substring(whole.length() + 1))
                    : mappingOf(field);
        }

        private JsonNode mappingOf(String field) {
            return MappedField.find(index.path("mappings"), field)
                    .map(MappedField::mapping)
                    .orElseGet(MissingNode::getInstance);
        }

        private void source() {
            JsonNode source = index.path("mappings").path("_source");
            String mend =
                    "index the documents into an index that stores all of _source, and point the alias to that index";
            if (!source.path("enabled").asBoolean(true)) {
                lasting("_source is disabled", mend);
            }
            if (!source.path("includes").isEmpty() || !source.path("excludes").isEmpty()) {
                lasting("_source is stored only in part (includes or excludes)", mend);
            }
            String mode = source.path("mode").asText(setting("mapping.source.mode", "STORED"));
            if (!mode.equalsIgnoreCase("stored")) {
                lasting("_source is " + mode.toLowerCase(Locale.ROOT) + ", not stored", mend);
            }
            if (setting("mode", "standard").equals("time_series")) {
                lasting(
                        "documents cannot be changed (index.mode is time_series)",
                        "index the documents into an index without this mode, and point the alias to that index");
            }
        }

        private void alias() {
            JsonNode alias = index.path("aliases").path(namespace.index());
            if (alias.has("filter")) {
                lasting("the alias " + namespace.index() + " has a filter, which hides documents", useOtherName());
            }
            if (alias.has("search_routing") || alias.has("index_routing") || alias.has("routing")) {
                lasting(
                        "the alias " + namespace.index()
                                + " has a routing value, so requests through the alias may miss documents",
                        useOtherName());
            }
        }

        private String useOtherName() {
            return "use the index itself for the namespace, or an alias without a filter and without a routing value";
        }

        private void settings() {
            String pipeline = setting("final_pipeline", "_none");
            if (!pipeline.equals("_none")) {
                lasting(
                        "the final pipeline " + pipeline + " would run again for every moved document",
                        "set index.final_pipeline to _none");
            }
            String durability = setting("translog.durability", "request");
            if (!durability.equalsIgnoreCase("request")) {
                lasting(
                        "index.translog.durability is " + durability,
                        "set index.translog.durability to request; otherwise a crash of Elasticsearch takes acknowledged"
                                + " moves back");
            }
            for (String block : List.of("read_only", "read_only_allow_delete", "write", "read")) {
                if (setting("blocks." + block, "false").equals("true")) {
                    problems.add(TreeProblem.passing(
                            "the index " + name + " has the block " + block, "set index.blocks." + block + " to null"));
                }
            }
        }
    }
}
