package org.treerename.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops or holds this process. The signal can request a graceful stop, a temporary hold, or an immediate stop. Any
 * thread may set and read the signal. Both kinds of stop are final. A part of the process may have its own signal. A
 * stop or a hold of the whole process applies to the part, too.
 */
public final class StopSignal {

    private volatile boolean requested;
    private volatile BooleanSupplier doubt = () -> false;
    private volatile boolean abandoned;
    private final @Nullable StopSignal whole;

    public StopSignal() {
        this(null);
    }

    private StopSignal(@Nullable StopSignal whole) {
        this.whole = whole;
    }

    /** Returns a new signal for a part of the process. The part can stop while the other parts continue. */
    public StopSignal part() {
        return new StopSignal(this);
    }

    /** Requests a graceful stop. */
    public void request() {
        requested = true;
    }

    /**
     * Holds the process while the condition is true. During a hold, the process begins no new work.
     *
     * @param inDoubt whether this process's lease is in doubt, so that other processes may already treat this process
     *     as dead
     */
    public void holdWhile(BooleanSupplier inDoubt) {
        doubt = inDoubt;
    }

    /** Requests an immediate stop. After this call, the process writes nothing. */
    public void abandon() {
        abandoned = true;
    }

    /** Returns whether the process must stop, gracefully or immediately. */
    public boolean isRequested() {
        return requested || abandoned || (whole != null && whole.isRequested());
    }

    public boolean isHeld() {
        return doubt.getAsBoolean() || (whole != null && whole.isHeld());
    }

    public boolean isAbandoned() {
        return abandoned || (whole != null && whole.isAbandoned());
    }
}
