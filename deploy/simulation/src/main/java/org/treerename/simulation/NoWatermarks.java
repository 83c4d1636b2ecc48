package org.treerename.simulation;

import java.util.Optional;
import org.treerename.rename.Place;
import org.treerename.rename.Watermarks;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Of a log that keeps its requests for ever: nobody writes one. */
record NoWatermarks() implements Watermarks {

    @Override
    public Optional<Versioned<Place>> read(Place place) {
        return Optional.empty();
    }

    @Override
    public WriteResult create(Place watermark) {
        throw new IllegalStateException("expected no watermark, found " + watermark);
    }

    @Override
    public WriteResult write(Place watermark, Version seen) {
        return create(watermark);
    }
}
