package org.treerename.namespace;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The store of the definitions of the namespaces, which all processes share. Any thread may call this interface. */
public interface Namespaces {

    /** Returns a definition by its name; empty if there is no such definition. */
    Optional<Namespace> find(String name);

    /**
     * Returns a definition by its name.
     *
     * @throws IllegalArgumentException if there is no such definition; the message names the defined namespaces
     */
    default Namespace require(String name) {
        return find(name).orElseThrow(() -> {
            String defined = all().stream().map(Namespace::name).collect(joining(", "));
            return new IllegalArgumentException("there is no namespace " + name + "; "
                    + (defined.isEmpty() ? "no namespace is defined" : "defined: " + defined));
        });
    }

    /** Returns a definition that this process has already read. Sends no request. */
    Optional<Namespace> known(String name);

    /** Returns every definition that this process has already read. Sends no request. */
    Collection<Namespace> known();

    /** Returns every definition, in the order of the names. */
    List<Namespace> all();

    /**
     * Stores a definition. Storing an equal definition again changes nothing.
     *
     * @throws IllegalStateException if another definition has this name, or if another namespace has one of its concrete indices
     */
    void define(Namespace namespace);
}
