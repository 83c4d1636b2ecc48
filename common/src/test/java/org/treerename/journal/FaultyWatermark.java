package org.treerename.journal;

import java.time.Instant;
import org.treerename.store.Calls;

/** A watermark whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyWatermark(Watermark watermark, Calls calls) implements Watermark {

    @Override
    public Mark raise(Instant to) {
        return calls.write("watermark.raise", () -> watermark.raise(to));
    }
}
