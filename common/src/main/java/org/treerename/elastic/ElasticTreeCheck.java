package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;

/**
 * Checks whether the documents of a namespace can be renamed in its indices. It checks the mappings, settings and
 * aliases of the indices. If the security of Elasticsearch is on, it also checks the privileges of this process. Any
 * thread may call this class.
 *
 * <p>A path has at most 4,096 code points. In UTF-8 these have at most 16,384 bytes, and a term of Lucene may have
 * 32,766 bytes. The setting {@code ignore_above} is a number of UTF-16 characters, and a path has at most 8,192 of
 * them.
 *
 * <p>Synthetic {@code _source} is refused. With it, Elasticsearch returns the fields of a document in another order,
 * sorts arrays and removes repeated values. This happens before and after a move. So a comparison cannot prove that a
 * move did not change the rest of the document.
 */
public final class ElasticTreeCheck {

    private static final int LONGEST = 2 * TreePath.MAX_CODE_POINTS;

    /** The privileges on the index or alias that the namespace names: to read its settings, to search and to refresh. */
    private static final List<String> OF_NAME = List.of("view_index_metadata", "read", "maintenance");

    /** The privileges on each concrete index, to read and write its documents. A privilege on an alias does not include them. */
    private static final List<String> OF_CONCRETE = List.of("read", "write");

    private final Elastic elastic;
    private final Rights rights;

    public ElasticTreeCheck(Elastic elastic) {
        this.elastic = elastic;
        this.rights = new Rights(elastic);
    }

    /**
     * Returns the problems that prevent the renames of a namespace; empty if there are none.
     *
     * @throws NoAnswerException if Elasticsearch does not answer
     */
    public List<TreeProblem> problems(Namespace namespace) {
        List<TreeProblem> forbidden = rights.missing(List.of(namespace.index()), OF_NAME);
        if (!forbidden.isEmpty()) {
            return forbidden;
        }
        Elastic.Answer answer = elastic.get("/" + namespace.index() + "?include_defaults=true");
        if (answer.status() == 404) {
            return List.of(TreeProblem.passing(
                    "there is no index or alias " + namespace.index(), "create it, with its mapping"));
        }
        if (!answer.isOk()) {
            throw new NoAnswerException(
                    "cannot read the settings of " + namespace.index() + ": " + answer.json(), null);
        }
        List<String> concrete = new ArrayList<>();
        answer.json().fieldNames().forEachRemaining(concrete::add);
        List<TreeProblem> problems = new ArrayList<>(rights.missing(concrete, OF_CONCRETE));
        for (Map.Entry<String, JsonNode> index : answer.json().properties()) {
            new OneIndex(namespace, index.getKey(), index.getValue(), problems).poll();
        }
        return problems;
    }

    /** The check of one concrete index. It adds the problems that it finds. */
    private record OneIndex(Namespace namespace, String name, JsonNode index, List<TreeProblem> problems) {

        void poll() {
            namespace.fields().searched().forEach(this::searchedField);
            if (Installation.isControlIndex(name)) {
                lasting("the locks and the journal are stored", "name the index of a tree");
            }
            source();
            alias();
            settings();
        }

        private void lasting(String what, String mend) {
            problems.add(TreeProblem.lasting(what + " in the index " + name, mend));
        }

        /**
         * Returns the value of a setting, or else its default in Elasticsearch. Returns {@code otherwise} if the answer
         * contains neither.
         */
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
            String mend = "map it as a keyword, index the documents again, and point the alias to the new index";
            String type = mapping.path("type").asText("");
            if (!index.path("mappings").path("runtime").path(field).isMissingNode()) {
                lasting("the field " + field + " is a runtime field", mend);
            } else if (mapping.isMissingNode()) {
                lasting("the field " + field + " is not mapped as a field of its own", mend);
            } else if (!type.equals("keyword")) {
                lasting("the field " + field + " is of type " + type + ", not keyword", mend);
            } else {
                keyword(field, mapping, mend);
            }
        }

        private void keyword(String field, JsonNode mapping, String mend) {
            int ignored = mapping.path("ignore_above")
                    .asInt(Integer.parseInt(setting("mapping.ignore_above", String.valueOf(Integer.MAX_VALUE))));
            if (ignored < LONGEST) {
                lasting(
                        "ignore_above of the field " + field + " is " + ignored
                                + ", so documents with longer paths would not be found; it must be at least " + LONGEST,
                        "set it to " + LONGEST + " in the mapping, and index the documents with longer paths again");
            }
            if (!mapping.path("index").asBoolean(true)
                    || !mapping.path("doc_values").asBoolean(true)) {
                lasting("the field " + field + " has index or doc_values off", mend);
            }
            if (mapping.has("normalizer")) {
                lasting(
                        "the field " + field + " has a normalizer, so different paths would look equal",
                        "add a sub-field of type keyword without a normalizer to the mapping, index the documents again"
                                + " (_update_by_query), and name it as path_keyword");
            }
        }

        private JsonNode searchedMapping(String field) {
            String whole = namespace.pathField();
            return field.equals(namespace.fields().keyword())
                    ? mappingOf(index.path("mappings"), whole).path("fields").path(field.substring(whole.length() + 1))
                    : mappingOf(index.path("mappings"), field);
        }

        /**
         * Returns the mapping of a field. The field may be inside objects or have a name with dots. Returns a missing
         * node for a sub-field, and for a field inside nested documents or inside a disabled object.
         */
        private static JsonNode mappingOf(JsonNode object, String field) {
            boolean isOff = object.path("type").asText("").equals("nested")
                    || !object.path("enabled").asBoolean(true);
            if (isOff) {
                return MissingNode.getInstance();
            }
            JsonNode properties = object.path("properties");
            if (properties.has(field)) {
                return properties.path(field);
            }
            for (Map.Entry<String, JsonNode> property : properties.properties()) {
                if (field.startsWith(property.getKey() + ".")) {
                    JsonNode inside = mappingOf(
                            property.getValue(),
                            field.substring(property.getKey().length() + 1));
                    if (!inside.isMissingNode()) {
                        return inside;
                    }
                }
            }
            return MissingNode.getInstance();
        }

        private void source() {
            JsonNode source = index.path("mappings").path("_source");
            String mend =
                    "index the documents into an index that stores all of _source, and point the alias to that index";
            if (!source.path("enabled").asBoolean(true)) {
                lasting("_source is disabled", mend);
            }
            if (!source.path("includes").isEmpty() || !source.path("excludes").isEmpty()) {
                lasting("_source is kept in part (includes or excludes)", mend);
            }
            String mode = source.path("mode").asText(setting("mapping.source.mode", "STORED"));
            if (!mode.equalsIgnoreCase("stored")) {
                lasting("_source is " + mode.toLowerCase(Locale.ROOT) + ", not stored", mend);
            }
            if (setting("mode", "standard").equals("time_series")) {
                lasting("documents cannot be changed (index.mode is time_series)", mend);
            }
        }

        private void alias() {
            JsonNode alias = index.path("aliases").path(namespace.index());
            if (alias.has("filter")) {
                lasting("the alias " + namespace.index() + " has a filter, which hides documents", useOtherName());
            }
            if (alias.has("search_routing") || alias.has("index_routing") || alias.has("routing")) {
                lasting(
                        "the alias " + namespace.index() + " has a routing, so searches do not find all documents",
                        useOtherName());
            }
        }

        private String useOtherName() {
            return "name the index itself, or an alias without a filter and a routing";
        }

        private void settings() {
            String pipeline = setting("final_pipeline", "_none");
            if (!pipeline.equals("_none")) {
                lasting(
                        "the final pipeline " + pipeline + " would run again for every moved document",
                        "set index.final_pipeline to _none");
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
