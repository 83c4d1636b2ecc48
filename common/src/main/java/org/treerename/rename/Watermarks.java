package org.treerename.rename;

import java.util.Optional;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * How far the journal may have forgotten the records of a partition: of one at or below its watermark there may have been an
 * entry that is deleted. A watermark is kept as a place, one for each partition; it only rises. Any thread may call it; each
 * call may throw {@link org.treerename.store.NoAnswerException}.
 */
public interface Watermarks {

    /** The watermark of the partition in which this place lies, read in real time; empty if there is none. */
    Optional<Versioned<RecordPosition>> read(RecordPosition place);

    /** Writes the watermark of a partition that had none. */
    WriteResult create(RecordPosition watermark);

    /** Writes the watermark of its partition if it is still in the version {@code seen}; an equal one is written, too. */
    WriteResult write(RecordPosition watermark, Version seen);
}
