package org.treerename.simulation.elasticsearch;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Watermark;

/** Writes the watermark in the simulated control index. */
public final class SimulatedWatermark implements Watermark {

    private static final String ID = "watermark:requests";

    private final Wire wire;
    private final Cluster cluster;
    private final Supplier<Instant> clock;

    /** @param clock the clock of the cluster */
    public SimulatedWatermark(Wire wire, Cluster cluster, Supplier<Instant> clock) {
        this.wire = wire;
        this.cluster = cluster;
        this.clock = clock;
    }

    @Override
    public Mark raise(Instant to) {
        return wire.ask(Request.of(() -> "raises the watermark to " + to, view -> (Mark) Objects.requireNonNull(
                view.update(cluster.control(), ID, before -> new Mark(later(to, before), clock.get())))));
    }

    private static Instant later(Instant to, @Nullable Object before) {
        return before instanceof Mark mark && mark.at().isAfter(to) ? mark.at() : to;
    }

    /**
     * Returns whether an entry is expired. The read is an update, so a cut-off node cannot acknowledge it.
     *
     * @param view the part of the cluster that the request of the attempt reaches
     */
    static boolean covers(View view, Cluster cluster, JournalEntry entry) {
        return view.update(cluster.control(), ID, found -> found) instanceof Mark mark && entry.isCoveredBy(mark.at());
    }
}
