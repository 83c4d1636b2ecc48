package org.treerename.worker;

import java.util.Optional;
import java.util.function.Function;
import org.treerename.lock.LockSet;
import org.treerename.path.Namespace;
import org.treerename.rename.Asked.RenameRequest;

/** What a request must not be carried beside, as far as that is known without asking anybody. */
sealed interface Footprint {

    /** It needs no lock. */
    record Nothing() implements Footprint {}

    record Locks(LockSet locks) implements Footprint {}

    /** Its locks are not known, because the definition of its namespace is not, so that it may overlap any other there. */
    record Unknown(String namespace) implements Footprint {}

    static Footprint of(RenameRequest request, Function<String, Optional<Namespace>> known) {
        Optional<Namespace> namespace = known.apply(request.namespace());
        if (namespace.isEmpty()) {
            return new Unknown(request.namespace());
        }
        return request.lockSet(namespace.get().notation())
                .map(locks -> (Footprint) new Locks(locks))
                .orElseGet(Nothing::new);
    }

    default boolean conflictsWith(Footprint other) {
        return switch (this) {
            case Nothing nothing -> false;
            case Unknown unknown -> unknown.namespace().equals(other.namespaceOrNone());
            case Locks mine ->
                other instanceof Locks theirs
                        ? mine.locks().conflictsWith(theirs.locks())
                        : namespaceOrNone().equals(other.namespaceOrNone());
        };
    }

    /** The empty text is no namespace's name. */
    private String namespaceOrNone() {
        return switch (this) {
            case Nothing nothing -> "";
            case Unknown unknown -> unknown.namespace();
            case Locks known -> known.locks().namespace();
        };
    }
}
