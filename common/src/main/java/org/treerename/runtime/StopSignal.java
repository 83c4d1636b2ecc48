package org.treerename.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops or holds this process. There are three kinds of signal: a stop in good order, a temporary hold, and an
 * immediate stop. Any thread may set and read the signal. Both kinds of stop are final. A part of the process may have
 * its own signal, which also obeys the signal of the whole process.
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

    /** Returns the signal of a part of the process, which can stop while the other parts continue. */
    public StopSignal part() {
        return new StopSignal(this);
    }

    /** Requests a stop in good order. */
    public void request() {
        requested = true;
    }

    /**
     * Holds the process while the condition is true. During a hold, the process begins no new work.
     *
     * @param inDoubt whether it is uncertain now that other processes still treat this process as live
     */
    public void holdWhile(BooleanSupplier inDoubt) {
        doubt = inDoubt;
    }

    /** Requests an immediate stop. The process writes nothing more. */
    public void abandon() {
        abandoned = true;
    }

    /** Returns whether the process must stop, in good order or immediately. */
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
