package org.treerename.namespace;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Stores the definitions of namespaces in memory. A definition is known as soon as it is stored. */
public class InMemoryNamespaces implements Namespaces {

    private final Function<String, Set<String>> indices;
    private final Map<String, Namespace> defined = new TreeMap<>();

    /** Creates a store in which every namespace names a concrete index. */
    public InMemoryNamespaces() {
        this(Set::of);
    }

    /**
     * Creates a store in which namespaces may name aliases.
     *
     * @param indices the concrete indices behind an index or alias
     */
    public InMemoryNamespaces(Function<String, Set<String>> indices) {
        this.indices = indices;
    }

    @Override
    public synchronized Optional<Namespace> find(String name) {
        return Optional.ofNullable(defined.get(name));
    }

    @Override
    public Optional<Namespace> known(String name) {
        return find(name);
    }

    @Override
    public Collection<Namespace> known() {
        return all();
    }

    /** Removes a definition, as if a user deleted its document from the control index. */
    public synchronized void remove(String name) {
        defined.remove(name);
    }

    @Override
    public synchronized List<Namespace> all() {
        return List.copyOf(defined.values());
    }

    @Override
    public synchronized void define(Namespace namespace) {
        Namespace there = defined.getOrDefault(namespace.name(), namespace);
        if (!there.equals(namespace)) {
            throw new IllegalStateException("the namespace " + namespace.name() + " is already defined as " + there);
        }
        for (Namespace other : defined.values()) {
            Set<String> shared = new HashSet<>(indices.apply(other.index()));
            shared.retainAll(indices.apply(namespace.index()));
            if (!other.equals(namespace) && !shared.isEmpty()) {
                throw new IllegalStateException("the namespaces " + other.name() + " and " + namespace.name()
                        + " must not share the index " + shared);
            }
        }
        defined.put(namespace.name(), namespace);
    }
}
