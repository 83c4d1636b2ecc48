package org.treerename.host;

import java.util.function.Supplier;
import org.treerename.crash.CrashPoints;
import org.treerename.process.Incarnation.End;
import org.treerename.runtime.Time;

/**
 * A process of this machine, in which a service lives one incarnation after the other.
 *
 * @param points at which it is to die
 */
public record Host(ServiceSettings settings, CrashPoints points, Time time, Observability observability)
        implements AutoCloseable {

    /**
     * Comes back when it was asked to stop: who is fenced begins again under a new process id.
     *
     * @param incarnation lives one
     */
    public void live(Supplier<End> incarnation) {
        End end;
        do {
            end = incarnation.get();
        } while (end == End.FENCED);
    }

    @Override
    public void close() {
        observability.close();
    }
}
