package org.treerename.namespace;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The store of the definitions of the namespaces, which all processes share. Any thread may call this interface. */
public interface Namespaces {

    /** Returns a definition by its name. */
    Optional<Namespace> find(String name);

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
