package org.treerename.simulation.elasticsearch;

import java.util.Optional;
import org.treerename.journal.Watermarks;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Reads and writes the watermarks in the simulated control index. */
public final class SimulatedWatermarks implements Watermarks {

    private final Wire wire;
    private final Cluster cluster;

    public SimulatedWatermarks(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
    }

    static String id(RecordPosition place) {
        return "watermark:" + place.topicPartition();
    }

    @Override
    public Optional<Versioned<RecordPosition>> read(RecordPosition place) {
        return wire.ask(Request.of(
                () -> "reads the watermark of " + place.topicPartition(),
                view -> view.read(cluster.control(), id(place))
                        .map(found -> new Versioned<>((RecordPosition) found.value(), found.version()))));
    }

    @Override
    public WriteResult create(RecordPosition watermark) {
        return wire.ask(Request.of(
                () -> "creates the watermark " + watermark,
                view -> view.create(cluster.control(), id(watermark), watermark)));
    }

    @Override
    public WriteResult write(RecordPosition watermark, Version seen) {
        return wire.ask(Request.of(
                () -> "writes the watermark " + watermark,
                view -> view.write(cluster.control(), id(watermark), seen, watermark)));
    }
}
