package org.treerename.janitor.recovery;

import org.treerename.journal.Journal;
import org.treerename.journal.Watermark;
import org.treerename.namespace.Granularity;
import org.treerename.process.Lease;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.request.RequestLog;

/** Adds the objects of a janitor to the world of a worker. */
public final class World extends org.treerename.worker.World {

    public final FencedProcesses fenced = new FencedProcesses(time, new Lease(LEASE));

    public World() {}

    public World(Granularity granularity) {
        super(granularity);
    }

    @Override
    public World withTree() {
        super.withTree();
        return this;
    }

    public RollForward rollForward(String processId) {
        return rollForward(processId, stores());
    }

    public RollForward rollForward(String processId, Stores stores) {
        return rollForward(processId, stores, calls.around(ProcessStore.class, processes));
    }

    public RollForward rollForward(String processId, Stores stores, ProcessStore ofProcesses) {
        return new RollForward(
                stores, calls.around(Watermark.class, watermark), ofProcesses, fenced, context(processId));
    }

    /**
     * Returns a cleanup for a log that keeps its requests for {@link #LOG_RETENTION}. The cleanup keeps entries one day
     * longer.
     */
    public JournalCleanup expiry(String processId) {
        return expiry(processId, log);
    }

    public JournalCleanup expiry(String processId, RequestLog requests) {
        return expiry(processId, requests, watermark);
    }

    public JournalCleanup expiry(String processId, RequestLog requests, Watermark mark) {
        return new JournalCleanup(
                calls.around(Journal.class, journal),
                calls.around(Watermark.class, mark),
                requests,
                context(processId),
                ENTRY_RETENTION);
    }

    public Sweep sweep(String processId) {
        return new Sweep(stores(), context(processId));
    }
}
