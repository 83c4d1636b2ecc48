package org.treerename.runtime;

import java.util.function.BooleanSupplier;

/**
 * Whether this process may go on: asked to stop, told to hold still for a while, or ended for good. Any thread may set and
 * look. To be asked and to be ended are never taken back.
 */
public final class StopSignal {

    private volatile boolean requested;
    private volatile BooleanSupplier doubt = () -> false;
    private volatile boolean abandoned;

    /** Stop in good order. */
    public void request() {
        requested = true;
    }

    /**
     * Begin nothing new while this is so.
     *
     * @param inDoubt whether it is in doubt, now, that others still take this process for live
     */
    public void holdWhile(BooleanSupplier inDoubt) {
        doubt = inDoubt;
    }

    /** Stop where you stand, touch nothing. */
    public void abandon() {
        abandoned = true;
    }

    /** Whether it must stop, in good order or at once. */
    public boolean isRequested() {
        return requested || abandoned;
    }

    public boolean isHeld() {
        return doubt.getAsBoolean();
    }

    public boolean isAbandoned() {
        return abandoned;
    }
}
