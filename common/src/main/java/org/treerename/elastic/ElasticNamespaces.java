package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.treerename.installation.Installation;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores the definitions of the namespaces in the control index. The id of a definition is {@code namespace:}, followed
 * by the name of the namespace. This class reads a definition at its first use, and then caches the definition. So a
 * definition never changes while a rename uses it.
 */
public final class ElasticNamespaces implements Namespaces {

    private static final Query ALL = Queries.term("kind", "namespace");

    private final Elastic elastic;
    private final ControlIndex control;
    private final ConcurrentMap<String, Namespace> known = new ConcurrentHashMap<>();

    public ElasticNamespaces(Elastic elastic, ControlIndex control) {
        this.elastic = elastic;
        this.control = control;
    }

    @Override
    public Optional<Namespace> find(String name) {
        Namespace cached = known.get(name);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<Namespace> found = current(name);
        found.ifPresent(namespace -> known.put(name, namespace));
        return found;
    }

    /**
     * Reads the current definition. A program that only reads trees uses this method, because an operator may replace a
     * definition while such programs run.
     */
    public Optional<Namespace> current(String name) {
        return control.read(NamespaceJson.id(name))
                .or(() -> control.readForCertain(NamespaceJson.id(name)))
                .map(Versioned::value)
                .map(NamespaceJson::read);
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
        return control.search().all(ALL).stream()
                .map(NamespaceJson::read)
                .sorted(Comparator.comparing(Namespace::name))
                .toList();
    }

    @Override
    public void define(Namespace namespace) {
        refuseSharedIndex(namespace);
        switch (control.create(NamespaceJson.id(namespace.name()), NamespaceJson.write(namespace))) {
            case WriteResult.Written written -> deleteIfShared(namespace, written.version());
            case WriteResult.Conflict conflict -> requireSame(namespace);
        }
    }

    /** If two processes define two namespaces of one index at once, at least one finds the other's definition. */
    private void deleteIfShared(Namespace namespace, Version version) {
        try {
            refuseSharedIndex(namespace);
        } catch (IllegalStateException e) {
            control.delete(NamespaceJson.id(namespace.name()), version);
            throw e;
        }
    }

    private void requireSame(Namespace namespace) {
        Optional<Namespace> stored = control.read(NamespaceJson.id(namespace.name()))
                .map(Versioned::value)
                .map(NamespaceJson::read);
        if (stored.isEmpty()) {
            throw new IllegalStateException("the namespace " + namespace.name()
                    + " is not defined, because another process has deleted its definition; define the namespace"
                    + " again");
        }
        if (!stored.get().equals(namespace)) {
            throw new IllegalStateException("the namespace " + namespace.name() + " is already defined as "
                    + stored.get() + ", expected " + namespace + "; correct the new definition, or replace the stored"
                    + " definition with rename-admin namespaces define --replace");
        }
    }

    /**
     * Changes an existing definition. The caller must ensure that no process uses the definition during the change.
     *
     * @throws IllegalStateException if another process deletes or changes the definition at the same time, or if
     *     another namespace uses one of the concrete indices of this namespace
     */
    public void redefine(Namespace namespace) {
        refuseSharedIndex(namespace);
        String id = NamespaceJson.id(namespace.name());
        boolean isWritten = control.read(id)
                .map(found -> control.write(id, found.version(), NamespaceJson.write(namespace)))
                .filter(WriteResult.Written.class::isInstance)
                .isPresent();
        if (!isWritten) {
            throw new IllegalStateException("the definition of the namespace " + namespace.name()
                    + " is not replaced, because another process has changed or deleted it; read the stored"
                    + " definition and try again");
        }
        known.put(namespace.name(), namespace);
    }

    /** Returns every stored definition as JSON, in the order of the names of the namespaces. */
    public List<JsonNode> stored() {
        return control.search().all(ALL).stream()
                .sorted(Comparator.comparing(json -> json.path("namespace").asText()))
                .toList();
    }

    private void refuseSharedIndex(Namespace namespace) {
        Set<String> indices = indices(namespace.index());
        indices.stream().filter(Installation::isControlIndex).findFirst().ifPresent(control -> {
            throw new IllegalStateException("the index " + namespace.index() + " of the namespace " + namespace.name()
                    + " leads to the control index " + control + "; a namespace needs its own index");
        });
        for (Namespace other : defined()) {
            if (!other.name().equals(namespace.name())) {
                Set<String> shared = indices(other.index());
                shared.retainAll(indices);
                if (!shared.isEmpty()) {
                    throw new IllegalStateException("the namespaces " + other.name() + " and " + namespace.name()
                            + " must not share the index " + shared.iterator().next());
                }
            }
        }
    }

    /** Returns the concrete indices behind an index or alias; an empty set if the index or alias does not exist. */
    private Set<String> indices(String index) {
        Elastic.Answer answer = elastic.raw().get("/" + index + "/_settings");
        Set<String> names = new TreeSet<>();
        if (answer.isOk()) {
            answer.json().fieldNames().forEachRemaining(names::add);
        }
        return names;
    }
}
