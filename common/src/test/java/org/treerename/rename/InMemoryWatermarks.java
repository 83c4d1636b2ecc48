package org.treerename.rename;

import java.util.Optional;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The watermarks in memory. */
public record InMemoryWatermarks(InMemoryControlIndex control) implements Watermarks {

    private static String id(Place place) {
        return "watermark:" + place.topicPartition();
    }

    @Override
    public Optional<Versioned<Place>> read(Place place) {
        return control.read(id(place), Place.class);
    }

    @Override
    public WriteResult create(Place watermark) {
        return control.create(id(watermark), watermark);
    }

    @Override
    public WriteResult write(Place watermark, Version seen) {
        return control.write(id(watermark), seen, watermark);
    }
}
