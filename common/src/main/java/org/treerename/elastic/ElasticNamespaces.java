package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.treerename.path.Namespace;
import org.treerename.path.Namespaces;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The namespaces' definitions in the control index, under {@code namespace:} and the name. A definition is read on first
 * use and then kept: what was begun under it ends under it.
 */
public final class ElasticNamespaces implements Namespaces {

    private static final JsonNode ALL = Json.object().set("term", Json.object().put("kind", "namespace"));

    private final Elastic elastic;
    private final ControlIndex control;
    private final ConcurrentMap<String, Namespace> known = new ConcurrentHashMap<>();

    public ElasticNamespaces(Elastic elastic, ControlIndex control) {
        this.elastic = elastic;
        this.control = control;
    }

    @Override
    public Optional<Namespace> find(String name) {
        Namespace before = known.get(name);
        if (before != null) {
            return Optional.of(before);
        }
        Optional<Namespace> found = control.read(NamespaceJson.id(name))
                .or(() -> control.readForCertain(NamespaceJson.id(name)))
                .map(Versioned::value)
                .map(NamespaceJson::read);
        found.ifPresent(namespace -> known.put(name, namespace));
        return found;
    }

    @Override
    public Optional<Namespace> known(String name) {
        return Optional.ofNullable(known.get(name));
    }

    @Override
    public Collection<Namespace> known() {
        return List.copyOf(known.values());
    }

    @Override
    public List<Namespace> all() {
        List<Namespace> all = defined();
        all.forEach(namespace -> known.putIfAbsent(namespace.name(), namespace));
        return all;
    }

    private List<Namespace> defined() {
        return control.all(ALL).stream()
                .map(NamespaceJson::read)
                .sorted(Comparator.comparing(Namespace::name))
                .toList();
    }

    @Override
    public void define(Namespace namespace) {
        refuseSharedIndex(namespace);
        switch (control.create(NamespaceJson.id(namespace.name()), NamespaceJson.write(namespace))) {
            case WriteResult.Written written -> takeBackIfShared(namespace, written.version());
            case WriteResult.Conflict conflict -> refuseAnother(namespace);
        }
    }

    /** Of two that are defined on one index at the same moment, one at least sees the other. */
    private void takeBackIfShared(Namespace namespace, Version version) {
        try {
            refuseSharedIndex(namespace);
        } catch (IllegalStateException e) {
            control.delete(NamespaceJson.id(namespace.name()), version);
            throw e;
        }
    }

    private void refuseAnother(Namespace namespace) {
        Optional<Namespace> there = control.read(NamespaceJson.id(namespace.name()))
                .map(Versioned::value)
                .map(NamespaceJson::read);
        if (!there.equals(Optional.of(namespace))) {
            throw new IllegalStateException("the namespace " + namespace.name() + " is defined already, as "
                    + there.map(Namespace::toString).orElse("something that is gone") + ", not as " + namespace);
        }
    }

    /**
     * Changes a definition that is there. The caller sees to it that nobody works with it.
     *
     * @throws IllegalStateException if it is gone or changed meanwhile, or another namespace has a concrete index of it
     */
    public void redefine(Namespace namespace) {
        refuseSharedIndex(namespace);
        String id = NamespaceJson.id(namespace.name());
        boolean isWritten = control.read(id)
                .map(there -> control.write(id, there.version(), NamespaceJson.write(namespace)))
                .filter(WriteResult.Written.class::isInstance)
                .isPresent();
        if (!isWritten) {
            throw new IllegalStateException("the namespace " + namespace.name() + " was changed by somebody else");
        }
        known.put(namespace.name(), namespace);
    }

    /** Every definition as it is stored, in the order of the names, as JSON. */
    public List<String> stored() {
        return control.all(ALL).stream()
                .sorted(Comparator.comparing(json -> json.path("namespace").asText()))
                .map(JsonNode::toString)
                .toList();
    }

    private void refuseSharedIndex(Namespace namespace) {
        Set<String> indices = indices(namespace.index());
        if (indices.contains(ControlIndex.NAME)) {
            throw new IllegalStateException(
                    "the namespace " + namespace.name() + " would have its documents in the control index");
        }
        for (Namespace other : defined()) {
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
}
