package org.treerename.namespace;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The store of the definitions of the namespaces. All processes share this store. */
public interface Namespaces {

    /** Returns a definition by its name; empty if no namespace has this name. */
    Optional<Namespace> find(String name);

    /**
     * Returns a definition by its name.
     *
     * @throws IllegalArgumentException if no namespace has this name; the message lists the defined namespaces
     */
    default Namespace require(String name) {
        return find(name).orElseThrow(() -> {
            String defined = all().stream().map(Namespace::name).collect(joining(", "));
            return new IllegalArgumentException("there is no namespace " + name + "; "
                    + (defined.isEmpty() ? "no namespace is defined" : "defined: " + defined));
        });
    }

    /** Returns a definition by its name; empty if this process has not read the definition yet. Sends no request. */
    Optional<Namespace> known(String name);

    /** Returns every definition that this process has already read. Sends no request. */
    Collection<Namespace> known();

    /** Returns every definition, sorted by name. */
    List<Namespace> all();

    /**
     * Stores a definition. If an equal definition is already stored, nothing changes.
     *
     * @throws IllegalStateException if a different definition with the same name is already stored, or if another
     *     namespace uses one of the concrete indices of this namespace
     */
    void define(Namespace namespace);
}
