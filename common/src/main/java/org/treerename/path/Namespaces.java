package org.treerename.path;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The definitions of the namespaces, kept where every process finds them. Any thread may call it. */
public interface Namespaces {

    Optional<Namespace> find(String name);

    /** The same, as far as this process has read it; asks nobody. */
    Optional<Namespace> known(String name);

    /** Every definition that this process has read; asks nobody. */
    Collection<Namespace> known();

    /** Every definition, in the order of the names. */
    List<Namespace> all();

    /**
     * Puts a definition there. The same definition again changes nothing.
     *
     * @throws IllegalStateException if another definition has that name, or another namespace a concrete index of it
     */
    void define(Namespace namespace);
}
