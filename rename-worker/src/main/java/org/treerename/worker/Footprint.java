package org.treerename.worker;

import java.util.Optional;
import java.util.function.Function;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.namespace.Namespace;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * The conflicts of a request with other requests, computed without access to a server. Conflicting requests never run
 * in parallel.
 */
sealed interface Footprint {

    /** The request needs no lock. */
    record Nothing() implements Footprint {}

    /** The request conflicts with every request whose lock set conflicts with this lock set. */
    record Locks(LockSet locks) implements Footprint {}

    /**
     * The locks are not known, because the definition of the namespace is not known. The request may conflict with any
     * other request of the namespace.
     */
    record Unknown(String namespace) implements Footprint {}

    static Footprint of(RenameRequest request, Function<String, Optional<Namespace>> known) {
        Optional<Namespace> namespace = known.apply(request.namespace());
        if (namespace.isEmpty()) {
            return new Unknown(request.namespace());
        }
        return request.lockSet(LockPolicy.of(namespace.get()))
                .map(locks -> (Footprint) new Locks(locks))
                .orElseGet(Nothing::new);
    }
}
