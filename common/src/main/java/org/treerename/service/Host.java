package org.treerename.service;

import java.util.function.Supplier;
import org.treerename.process.Incarnation.End;
import org.treerename.runtime.Time;

/**
 * An operating system process that runs the incarnations of a service, one after the other. Each incarnation has its
 * own process id.
 *
 * @param instrumentation the decorators of the parts of the service
 */
public record Host(ServiceSettings settings, Instrumentation instrumentation, Time time, Observability observability)
        implements AutoCloseable {

    /**
     * Runs incarnations. If an incarnation was fenced, this method starts the next incarnation under a new process id.
     * Returns when an incarnation ends for another reason.
     *
     * @param incarnation the function that runs one incarnation
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
