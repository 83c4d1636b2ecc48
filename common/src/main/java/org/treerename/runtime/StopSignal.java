package org.treerename.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether this process may go on: asked to stop, told to hold still for a while, or ended for good. Any thread may set and
 * look. To be asked and to be ended are never taken back. A part of the process may have one of its own, which also obeys
 * that of the whole.
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

    /** For a part of the process, which can be asked to stop while the others go on. */
    public StopSignal part() {
        return new StopSignal(this);
    }

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
        return requested || abandoned || (whole != null && whole.isRequested());
    }

    public boolean isHeld() {
        return doubt.getAsBoolean() || (whole != null && whole.isHeld());
    }

    public boolean isAbandoned() {
        return abandoned || (whole != null && whole.isAbandoned());
    }
}
