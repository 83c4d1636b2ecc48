package org.treerename.journal;

import java.util.Optional;
import org.treerename.request.RecordPosition;
import org.treerename.store.Calls;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Watermarks whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyWatermarks(Watermarks watermarks, Calls calls) implements Watermarks {

    @Override
    public Optional<Versioned<RecordPosition>> read(RecordPosition place) {
        return calls.read("watermarks.read", () -> watermarks.read(place));
    }

    @Override
    public WriteResult create(RecordPosition watermark) {
        return calls.write("watermarks.create", () -> watermarks.create(watermark));
    }

    @Override
    public WriteResult write(RecordPosition watermark, Version seen) {
        return calls.write("watermarks.write", () -> watermarks.write(watermark, seen));
    }
}
