package org.treerename.janitor.recovery;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** The permit of one move. A second call of {@link #close} has no effect. */
    record Permit(Semaphore free, AtomicBoolean isHeld) implements AutoCloseable {

        @Override
        public void close() {
            if (isHeld.getAndSet(false)) {
                free.release();
            }
        }
    }

    /** Waits for a permit of a namespace. If a stop request arrives during the wait, returns empty. */
    Optional<Permit> acquire(Optional<String> namespace) {
        Semaphore free = permits.computeIfAbsent(namespace, name -> new Semaphore(OF_A_NAMESPACE));
        boolean isAdmitted = free.tryAcquire();
        if (!isAdmitted) {
            free.acquireUninterruptibly();
        }
        Permit permit = new Permit(free, new AtomicBoolean(true));
        if (isAdmitted || !stop.isRequested()) {
            return Optional.of(permit);
        }
        permit.close();
        return Optional.empty();
    }
}
