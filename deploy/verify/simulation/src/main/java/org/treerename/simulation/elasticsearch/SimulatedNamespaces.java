package org.treerename.simulation.elasticsearch;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;

/** Reads and writes the definitions of namespaces in the simulated control index. */
public final class SimulatedNamespaces implements Namespaces {

    private final Wire wire;
    private final Cluster cluster;
    private final Map<String, Namespace> known = new TreeMap<>();

    public SimulatedNamespaces(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
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
        Optional<Namespace> found = wire.ask(Request.of(
                () -> "reads the namespace " + name,
                view -> view.read(cluster.control(), id(name)).map(there -> (Namespace) there.value())));
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
        List<Namespace> all =
                SimulatedProcessStore.search(wire, cluster, "namespaces", Namespace.class, values -> values);
        all.forEach(namespace -> known.putIfAbsent(namespace.name(), namespace));
        return all;
    }

    @Override
    public void define(Namespace namespace) {
        Namespace there = find(namespace.name()).orElse(namespace);
        if (!there.equals(namespace)) {
            throw new IllegalStateException("the namespace " + namespace.name() + " is already defined as " + there);
        }
        for (Namespace other : cluster.control(Namespace.class)) {
            Set<String> shared = new HashSet<>(cluster.indices().concrete(other.index()));
            shared.retainAll(cluster.indices().concrete(namespace.index()));
            if (!other.equals(namespace) && !shared.isEmpty()) {
                throw new IllegalStateException(
                        "the namespaces " + other.name() + " and " + namespace.name() + " would share " + shared);
            }
        }
        wire.ask(Request.of(
                () -> "defines " + namespace.name(),
                view -> view.create(cluster.control(), id(namespace.name()), namespace)));
    }
}
