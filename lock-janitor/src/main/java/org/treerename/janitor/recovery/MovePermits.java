package org.treerename.janitor.recovery;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.treerename.runtime.StopSignal;

/**
 * Limits the number of moves that a janitor runs at once, separately for each namespace. A move keeps its permit while
 * its tree does not answer. So the moves of a tree that never answers use all permits of their namespace, and no other
 * namespace waits for them. Any thread may call this class.
 */
final class MovePermits {

    /** The maximum number of moves of one namespace. */
    static final int OF_A_NAMESPACE = 64;

    private final Map<Optional<String>, Semaphore> permits = new ConcurrentHashMap<>();
    private final StopSignal stop;

    MovePermits(StopSignal stop) {
        this.stop = stop;
    }

    /**
     * Runs a move when a permit of its namespace is free. If a stop request arrives during the wait, returns empty and
     * does not run the move.
     */
    <T> Optional<T> run(Optional<String> namespace, Supplier<T> move) {
        Semaphore ofNamespace = permits.computeIfAbsent(namespace, name -> new Semaphore(OF_A_NAMESPACE));
        boolean isAdmitted = ofNamespace.tryAcquire();
        if (!isAdmitted) {
            ofNamespace.acquireUninterruptibly();
        }
        try {
            return isAdmitted || !stop.isRequested() ? Optional.of(move.get()) : Optional.empty();
        } finally {
            ofNamespace.release();
        }
    }
}
