package org.treerename.observe;

import io.github.resilience4j.core.IntervalFunction;
import java.util.function.Function;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Time;

/** Adds metrics to the stores and to the retries of a process. */
public final class Measured {

    private Measured() {}

    /**
     * Returns the given stores, with metrics for the journal and for the tree.
     *
     * @param outcomes decodes the text of an outcome
     */
    public static Stores of(Stores stores, Meters meters, Time time, Function<String, Outcome> outcomes) {
        return new Stores(
                stores.namespaces(),
                new MeasuredJournal(stores.journal(), new Observations(meters, time, outcomes)),
                stores.locks(),
                new MeasuredTreeStore(stores.tree(), meters),
                stores.outcomes());
    }

    public static ProcessStore of(ProcessStore processes, Meters meters) {
        return new MeasuredProcessStore(processes, meters);
    }

    public static Backoff.Factory of(Backoff.Factory backoffs, Meters meters) {
        IntervalFunction intervals = backoffs.intervals();
        return new Backoff.Factory(backoffs.time(), tries -> {
            meters.count(Metric.RETRIES);
            return intervals.apply(tries);
        });
    }
}
