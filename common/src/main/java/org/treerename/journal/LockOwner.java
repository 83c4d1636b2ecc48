package org.treerename.journal;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.namespace.Namespace;

/** Decides whether a hold or a claim of an entry is valid, and creates the releases of the entry's locks. */
public interface LockOwner {

    String requestId();

    Subject subject();

    Instant requestedAt();

    Ownership ownership();

    State state();

    /** Returns whether a hold is valid: this entry contains the hold id, and the state of the entry permits a hold. */
    default boolean mayHold(Hold hold) {
        return state().mayHold() && hold.holdId().equals(ownership().holdId());
    }

    /** Returns whether a claim of the entry's request is valid. */
    default boolean mayClaim() {
        return !state().isFinal() && state() != State.RETRY;
    }

    default LockPriority age() {
        return new LockPriority(requestedAt().toEpochMilli(), requestId());
    }

    /**
     * Returns the lock set that the request or the writer needs. Returns an empty lock set if the entry contains no
     * valid paths. If the definition of the namespace is not known, the default lock policy applies. With this policy,
     * the lock set may be wrong. A wrong lock set does no harm, because a release identifies holds by their ids. A
     * sweep removes the locks that the release misses.
     */
    default LockSet lockSetAsAsked(Function<String, Optional<Namespace>> namespaces) {
        Optional<String> name = subject().namespace().filter(Namespace::isName);
        if (name.isEmpty()) {
            return LockSet.NONE;
        }
        LockPolicy lockPolicy = name.flatMap(namespaces).map(LockPolicy::of).orElse(LockPolicy.assumed());
        return subject().lockSet(lockPolicy).orElse(LockSet.NONE);
    }

    /** Returns the release of all holds and claims that the request may have in lock tables. */
    default Release releaseOfAll() {
        String holdId = ownership().holdId();
        return Release.ofRequest(requestId(), holdId == null ? Set.of() : Set.of(holdId));
    }

    /** Returns the release of the hold of the current attempt. The release keeps the claims of the request. */
    default Release releaseOfHold() {
        return Release.ofHold(String.valueOf(ownership().holdId()));
    }
}
