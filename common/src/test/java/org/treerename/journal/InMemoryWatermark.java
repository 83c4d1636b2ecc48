package org.treerename.journal;

import java.time.Instant;
import java.util.Optional;
import org.treerename.runtime.Time;
import org.treerename.store.InMemoryControlIndex;

/**
 * Stores the watermark in an {@link InMemoryControlIndex}.
 *
 * @param clock the clock of the store
 */
public record InMemoryWatermark(InMemoryControlIndex control, Time clock) implements Watermark {

    private static final String ID = "watermark:requests";

    @Override
    public Mark raise(Instant to) {
        return control.update(
                        ID,
                        Mark.class,
                        found -> Optional.of(new Mark(
                                found.map(Mark::at).filter(at -> at.isAfter(to)).orElse(to), clock.now())))
                .orElseThrow();
    }

    /** Returns whether an entry is expired according to the stored watermark. */
    static boolean covers(InMemoryControlIndex control, JournalEntry entry) {
        return control.read(ID, Mark.class)
                .filter(mark -> entry.isCoveredBy(mark.value().at()))
                .isPresent();
    }
}
