package org.treerename.janitor;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.treerename.janitor.recovery.RollForward.Result;

/**
 * Holds the janitor that this program runs now. There is no current janitor before the first janitor starts, or while
 * the program changes to a new process id. Any thread may call this class.
 */
final class CurrentJanitor {

    private final AtomicReference<@Nullable Janitor> current = new AtomicReference<>();

    /** Runs a janitor until the janitor stops. During this time, the janitor is the current janitor. */
    void run(Janitor janitor) {
        current.set(janitor);
        try {
            janitor.run();
        } finally {
            current.set(null);
        }
    }

    /**
     * Calls {@link Janitor#retryParked} on the current janitor. If there is no current janitor, the result is empty.
     */
    Optional<Future<Result>> retryParked(String requestId) {
        return Optional.ofNullable(current.get()).flatMap(janitor -> janitor.retryParked(requestId));
    }
}
