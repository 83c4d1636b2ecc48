package org.treerename.journal;

import java.util.Optional;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The watermarks of the partitions. A janitor may have deleted the entry of a record at or below the watermark of its
 * partition. Each partition has at most one watermark. A watermark is stored as a position and never decreases. Any
 * thread may call this interface. Each call may throw {@link org.treerename.store.NoAnswerException}.
 */
public interface Watermarks {

    /**
     * Reads the watermark of the partition that contains a position, in real time. Returns empty if there is no
     * watermark.
     */
    Optional<Versioned<RecordPosition>> read(RecordPosition place);

    /** Writes the first watermark of a partition. */
    WriteResult create(RecordPosition watermark);

    /**
     * Writes a watermark if the stored watermark of its partition still has the version {@code seen}. This method
     * writes the watermark even if it equals the stored watermark.
     */
    WriteResult write(RecordPosition watermark, Version seen);
}
