package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.path.TreeProblem;
import org.treerename.store.NoAnswerException;

/**
 * Whether the indices of a namespace are such that its documents can be renamed, judged by their mappings, settings and
 * aliases, and by what this process may do with them where Elasticsearch's security is on. Any thread may call it.
 *
 * <p>A path has at most 4,096 code points. They are at most 16,384 bytes of UTF-8, and a term of Lucene may have 32,766; but
 * {@code ignore_above} counts UTF-16, in which they may be 8,192 characters.
 *
 * <p>Synthetic {@code _source} is refused: a document that is written again comes back with its fields in another order,
 * arrays sorted and values repeated once, before as after, so nobody could tell whether it is unchanged.
 */
public final class ElasticTreeCheck {

    private static final int LONGEST = 2 * TreePath.MAX_CODE_POINTS;

    /** To see what lies there, to find it, and to refresh it: by the name that the namespace says. */
    private static final List<String> OF_NAME = List.of("view_index_metadata", "read", "maintenance");

    /** To read and write documents: each in the index where it lies, and a right to an alias is none to that. */
    private static final List<String> OF_CONCRETE = List.of("read", "write");

    private final Elastic elastic;
    private final Rights rights;

    public ElasticTreeCheck(Elastic elastic) {
        this.elastic = elastic;
        this.rights = new Rights(elastic);
    }

    /**
     * What keeps the renames of a namespace from being carried out; empty if nothing does.
     *
     * @throws NoAnswerException if Elasticsearch does not tell
     */
    public List<TreeProblem> look(Namespace namespace) {
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
            throw new NoAnswerException("asked for " + namespace.index() + ": " + answer.json(), null);
        }
        List<String> concrete = new ArrayList<>();
        answer.json().fieldNames().forEachRemaining(concrete::add);
        List<TreeProblem> problems = new ArrayList<>(rights.missing(concrete, OF_CONCRETE));
        for (Map.Entry<String, JsonNode> index : answer.json().properties()) {
            new OneIndex(namespace, index.getKey(), index.getValue(), problems).look();
        }
        return problems;
    }

    /** What is wrong with one concrete index. */
    private record OneIndex(Namespace namespace, String name, JsonNode index, List<TreeProblem> problems) {

        void look() {
            namespace.fields().searched().forEach(this::searchedField);
            if (name.equals(ControlIndex.NAME)) {
                lasting("the locks and the journal themselves are kept", "name the index of a tree");
            }
            source();
            alias();
            settings();
        }

        private void lasting(String what, String mend) {
            problems.add(TreeProblem.lasting(what + " in the index " + name, mend));
        }

        /** A setting as it is set, else its default. */
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
            String mend = "map it as a keyword, index the documents anew, and put the alias on the new index";
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
                                + ", so that what has a longer path would not be found; expected at least " + LONGEST,
                        "set it to " + LONGEST + " in the mapping; what was ignored until then is to be indexed anew");
            }
            if (!mapping.path("index").asBoolean(true)
                    || !mapping.path("doc_values").asBoolean(true)) {
                lasting("the field " + field + " has index or doc_values off", mend);
            }
            if (mapping.has("normalizer")) {
                lasting(
                        "the field " + field + " has a normalizer, so that paths that differ are taken for one",
                        "add a sub-field of type keyword without one to the mapping, index the documents anew"
                                + " (_update_by_query), and name it as path_keyword");
            }
        }

        private JsonNode searchedMapping(String field) {
            String whole = namespace.pathField();
            return field.equals(namespace.fields().keyword())
                    ? mappingOf(index.path("mappings"), whole).path("fields").path(field.substring(whole.length() + 1))
                    : mappingOf(index.path("mappings"), field);
        }

        /** Of a field of objects or spelled with dots; missing where it is inside of nested documents or of a field. */
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
            String mend = "index the documents into an index that keeps all of _source, and put the alias on that one";
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
                lasting("the alias " + namespace.index() + " has a filter, behind which documents hide,", withoutIt());
            }
            if (alias.has("search_routing") || alias.has("index_routing") || alias.has("routing")) {
                lasting(
                        "the alias " + namespace.index() + " has a routing, which not every document has,",
                        withoutIt());
            }
        }

        private String withoutIt() {
            return "name the index itself, or an alias without it";
        }

        private void settings() {
            String pipeline = setting("final_pipeline", "_none");
            if (!pipeline.equals("_none")) {
                lasting(
                        "the final pipeline " + pipeline + " would run again over every document that moves",
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
