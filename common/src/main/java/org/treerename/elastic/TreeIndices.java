package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Reads the concrete indices of namespaces, and examines each of them. An index may join an alias, and its mapping,
 * settings and aliases may change, at any time. So every read examines all of them. A node answers from its own cluster
 * state, so each read uses a node that knows what the master knows ({@link ShardCopies}). Only the defaults of settings
 * are kept, by the uuid of the index, because they cannot change while the index exists. Threads that read the same
 * indices at the same moment share the requests. Any thread may call this class.
 */
final class TreeIndices {

    private static final String DEFAULTS = "?features=settings&include_defaults=true"
            + "&filter_path=*.settings.index.uuid,*.defaults.index.mode,*.defaults.index.mapping";

    /** The parts of an index that {@link ElasticTreeCheck} examines, without the mapping of the fields. */
    private static final String EXAMINED = "?features=aliases,settings,mappings"
            + "&filter_path=*.aliases,*.settings.index,*.mappings.enabled,*.mappings._source,*.mappings.runtime";

    private static final String FIELDS = ",*.mappings.properties";

    /** The fields into which other fields are copied, and what these fields accept. */
    private static final String COPIES = ",*.mappings.properties.**.copy_to,*.mappings.properties.**.type"
            + ",*.mappings.properties.**.ignore_malformed";

    /** A name that has no special meaning in {@code filter_path}. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@-]+");

    private static final int UNDER_WAY = 1;

    private final Elastic elastic;
    private final Rights rights;
    private final Supplier<Collection<Namespace>> known;
    private final Map<Namespace, GroupCommit<Namespace, Supplier<JsonNode>>> groups = new ConcurrentHashMap<>();

    /** The defaults of the settings of each examined index, by the uuid of the index. */
    private final Map<String, JsonNode> defaults = new ConcurrentHashMap<>();

    /**
     * @param known returns every namespace that this process knows; no two of these namespaces may share an index
     */
    TreeIndices(Elastic elastic, Supplier<Collection<Namespace>> known, Rights rights) {
        this.elastic = elastic;
        this.rights = rights;
        this.known = known;
    }

    /**
     * Returns the uuid of each concrete index of the namespace, by the name of the index. The answer contains every
     * change that the master has made before the call.
     *
     * @throws RefusedException if an index does not permit renames
     */
    Map<String, String> read(Namespace namespace) {
        JsonNode answer =
                groups.computeIfAbsent(namespace, this::groupsOf).ask(namespace).get();
        if (answer.isEmpty()) {
            throw new NoAnswerException(
                    "expected the indices of " + namespace.index() + " in the answer of Elasticsearch, found none",
                    null);
        }
        Map<String, String> uuids = new HashMap<>();
        answer.properties().forEach(index -> {
            JsonNode settings = index.getValue().path("settings").path("index");
            String uuid = Json.field(settings, "uuid").asText();
            refuseShared(namespace, index.getKey(), index.getValue().path("aliases"));
            refuseUnfit(namespace, index.getKey(), index.getValue(), uuid);
            uuids.put(index.getKey(), uuid);
        });
        return uuids;
    }

    /** Returns the groups of threads that read the same indices. All members of a group get the same refusal. */
    private GroupCommit<Namespace, Supplier<JsonNode>> groupsOf(Namespace namespace) {
        GroupCommit.Limits<Namespace> all = new GroupCommit.Limits<>(UNDER_WAY, 1, one -> 0);
        String examined = EXAMINED + fields(namespace);
        return new GroupCommit<>(
                all, elastic::asking, group -> Collections.nCopies(group.size(), answer(namespace, examined)));
    }

    private Supplier<JsonNode> answer(Namespace namespace, String examined) {
        try {
            Elastic node =
                    ShardCopies.requireCurrent(elastic, namespace.index()).node();
            JsonNode indices = get(node, namespace, examined);
            List<String> names = new ArrayList<>();
            indices.fieldNames().forEachRemaining(names::add);
            rights.requireWhole(names);
            return () -> indices;
        } catch (RefusedException e) {
            return () -> {
                throw e;
            };
        }
    }

    /** Returns the filter for the mapping of the fields of a namespace. Other fields of an index may be many. */
    private static String fields(Namespace namespace) {
        return namespace.fields().all().stream()
                .map(field -> field.split("\\.", 2)[0])
                .distinct()
                .map(outermost -> PLAIN.matcher(outermost).matches() ? FIELDS + "." + outermost + "*" : FIELDS)
                .collect(Collectors.joining("", "", COPIES));
    }

    private static JsonNode get(Elastic node, Namespace namespace, String parts) {
        Elastic.Answer answer = node.raw().get("/" + namespace.index() + parts);
        if (!answer.isOk()) {
            throw new RefusedException("there is no index or alias " + namespace.index());
        }
        return answer.json();
    }

    /** The locks of two namespaces with one index would not exclude each other. */
    private void refuseShared(Namespace namespace, String index, JsonNode aliases) {
        for (Namespace other : known.get()) {
            boolean isShared = other.index().equals(index) || aliases.has(other.index());
            if (isShared && !other.name().equals(namespace.name())) {
                throw new RefusedException("the namespaces " + namespace.name() + " and " + other.name()
                        + " share the index " + index + "; each namespace must have its own index: remove " + index
                        + " from the alias " + (other.index().equals(index) ? namespace : other).index());
            }
        }
    }

    private void refuseUnfit(Namespace namespace, String name, JsonNode index, String uuid) {
        ObjectNode whole = Json.object();
        whole.setAll((ObjectNode) index);
        whole.set("defaults", defaultsOf(namespace, name, uuid));
        List<TreeProblem> lasting = ElasticTreeCheck.problemsOf(namespace, name, whole).stream()
                .filter(problem -> !problem.mayPass())
                .toList();
        if (!lasting.isEmpty()) {
            throw new RefusedException(
                    lasting.stream().map(TreeProblem::toString).collect(Collectors.joining("; and ")));
        }
    }

    private JsonNode defaultsOf(Namespace namespace, String name, String uuid) {
        JsonNode present = defaults.get(uuid);
        if (present != null) {
            return present;
        }
        JsonNode index = get(elastic, namespace, DEFAULTS).path(name);
        if (!uuid.equals(index.path("settings").path("index").path("uuid").asText())) {
            throw new NoAnswerException("the index " + name + " with uuid " + uuid + " does not exist any more", null);
        }
        defaults.put(uuid, index.path("defaults"));
        return index.path("defaults");
    }
}
