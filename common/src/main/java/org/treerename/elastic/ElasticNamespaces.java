package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.treerename.path.Namespace;
import org.treerename.path.Namespace.Directories;
import org.treerename.path.Namespaces;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The namespaces' definitions in the control index, under {@code namespace:} and the name. A definition is read on first
 * use and then kept: what was begun under it ends under it.
 *
 * <pre>{@code
 * { "kind": "namespace", "protocol": 1, "namespace": "files",
 *   "definition": { "index": "files", "path_field": "path", "parent_field": "parent", "name_field": "name",
 *     "directory_field": "type", "directory_value": "directory" } }
 * }</pre>
 */
public final class ElasticNamespaces implements Namespaces {

    private final Elastic elastic;
    private final ControlIndex control;
    private final ConcurrentMap<String, Namespace> known = new ConcurrentHashMap<>();

    public ElasticNamespaces(Elastic elastic, ControlIndex control) {
        this.elastic = elastic;
        this.control = control;
    }

    private static String id(String name) {
        return "namespace:" + name;
    }

    @Override
    public Optional<Namespace> find(String name) {
        Namespace before = known.get(name);
        if (before != null) {
            return Optional.of(before);
        }
        Optional<Namespace> found = control.read(id(name))
                .or(() -> control.readForCertain(id(name)))
                .map(Versioned::value)
                .map(ElasticNamespaces::namespace);
        found.ifPresent(namespace -> known.put(name, namespace));
        return found;
    }

    @Override
    public List<Namespace> all() {
        JsonNode query = Json.object().set("term", Json.object().put("kind", "namespace"));
        return control.all(query).stream()
                .map(ElasticNamespaces::namespace)
                .sorted(Comparator.comparing(Namespace::name))
                .toList();
    }

    @Override
    public void define(Namespace namespace) {
        refuseSharedIndex(namespace);
        if (control.create(id(namespace.name()), json(namespace)) instanceof WriteResult.Conflict) {
            Optional<Namespace> there =
                    control.read(id(namespace.name())).map(Versioned::value).map(ElasticNamespaces::namespace);
            if (!there.equals(Optional.of(namespace))) {
                throw new IllegalStateException("the namespace " + namespace.name() + " is defined already, as "
                        + there.map(Namespace::toString).orElse("something that is gone") + ", not as " + namespace);
            }
        }
        elastic.post("/" + ControlIndex.NAME + "/_refresh");
    }

    private void refuseSharedIndex(Namespace namespace) {
        Set<String> indices = indices(namespace.index());
        elastic.post("/" + ControlIndex.NAME + "/_refresh");
        ObjectNode query = Json.object().put("size", 1_000);
        query.putObject("query").putObject("term").put("kind", "namespace");
        JsonNode hits = elastic.post("/" + ControlIndex.NAME + "/_search", query)
                .json()
                .path("hits")
                .path("hits");
        for (JsonNode hit : hits) {
            Namespace other = namespace(hit.required("_source"));
            if (!other.name().equals(namespace.name())) {
                Set<String> shared = indices(other.index());
                shared.retainAll(indices);
                if (!shared.isEmpty()) {
                    throw new IllegalStateException("the namespaces " + other.name() + " and " + namespace.name()
                            + " would share the index " + shared.iterator().next());
                }
            }
        }
    }

    /** The concrete indices behind an index or alias; empty if it is not there. */
    private Set<String> indices(String index) {
        Elastic.Answer answer = elastic.get("/" + index + "/_settings");
        Set<String> names = new TreeSet<>();
        if (answer.isOk()) {
            answer.json().fieldNames().forEachRemaining(names::add);
        }
        return names;
    }

    private static JsonNode json(Namespace namespace) {
        ObjectNode json = Json.object()
                .put("kind", "namespace")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("namespace", namespace.name());
        Directories directories = namespace.directories();
        json.putObject("definition")
                .put("index", namespace.index())
                .put("path_field", namespace.pathField())
                .put("parent_field", namespace.parentField())
                .put("name_field", namespace.nameField())
                .put("directory_field", directories == null ? null : directories.field())
                .put("directory_value", directories == null ? null : directories.value());
        return json;
    }

    private static Namespace namespace(JsonNode json) {
        ControlIndex.refuseLater(json);
        JsonNode definition = json.required("definition");
        String field = definition.path("directory_field").textValue();
        Directories directories = field == null
                ? null
                : new Directories(field, definition.required("directory_value").asText());
        try {
            return new Namespace(
                    json.required("namespace").asText(),
                    definition.required("index").asText(),
                    definition.required("path_field").asText(),
                    definition.path("parent_field").textValue(),
                    definition.path("name_field").textValue(),
                    directories);
        } catch (IllegalArgumentException e) {
            throw new RefusedException("a namespace's definition is not one: " + e.getMessage());
        }
    }
}
