package org.treerename.janitor.recovery;

import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Watermarks;
import org.treerename.request.RecordPosition;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Finds journal entries at or below a watermark. A janitor has deleted such an entry after its request had ended. Then
 * a late request to Elasticsearch created the entry again. Any thread may call this class.
 */
final class WatermarkCheck {

    private final Watermarks watermarks;

    WatermarkCheck(Watermarks watermarks) {
        this.watermarks = watermarks;
    }

    /**
     * Returns whether a record of the entry is at or below the watermark of its partition. An acknowledged write of the
     * watermark shows that the value from the read is current.
     */
    boolean covers(JournalEntry entry) {
        return entry.places().stream().anyMatch(this::covers);
    }

    private boolean covers(RecordPosition place) {
        Optional<Versioned<RecordPosition>> read = watermarks.read(place);
        return read.isPresent()
                && place.isCoveredBy(read.get().value())
                && watermarks.write(read.get().value(), read.get().version()) instanceof WriteResult.Written;
    }
}
