package org.treerename.worker;

import java.util.Optional;
import java.util.function.Function;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Namespace;
import org.treerename.rename.ParsedRequest.RenameRequest;

/** What a request must not be carried beside, as far as that is known without asking anybody. */
sealed interface Footprint {

    /** It needs no lock. */
    record Nothing() implements Footprint {}

    /** It conflicts with every request whose lock set conflicts with this one. */
    record Locks(LockSet locks) implements Footprint {}

    /** Its locks are not known, because the definition of its namespace is not, so that it may overlap any other there. */
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
