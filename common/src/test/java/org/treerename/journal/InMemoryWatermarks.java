package org.treerename.journal;

import java.util.Optional;
import org.treerename.request.RecordPosition;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Stores one watermark per partition in an {@link InMemoryControlIndex}. */
public record InMemoryWatermarks(InMemoryControlIndex control) implements Watermarks {

    private static String id(RecordPosition place) {
        return "watermark:" + place.topicPartition();
    }

    @Override
    public Optional<Versioned<RecordPosition>> read(RecordPosition place) {
        return control.read(id(place), RecordPosition.class);
    }

    @Override
    public WriteResult create(RecordPosition watermark) {
        return control.create(id(watermark), watermark);
    }

    @Override
    public WriteResult write(RecordPosition watermark, Version seen) {
        return control.write(id(watermark), seen, watermark);
    }
}
