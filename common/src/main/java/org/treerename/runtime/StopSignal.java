package org.treerename.runtime;

import java.util.concurrent.atomic.AtomicBoolean;

/** Whether this process was asked to stop. Any thread may ask and look; it is never taken back. */
public final class StopSignal {

    private final AtomicBoolean requested = new AtomicBoolean();

    public void request() {
        requested.set(true);
    }

    public boolean isRequested() {
        return requested.get();
    }
}
