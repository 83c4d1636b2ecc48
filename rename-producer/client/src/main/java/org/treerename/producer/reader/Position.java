package org.treerename.producer.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which the pages of one question were read.
 *
 * @param unopened the number of the first region, in their order, that was not read yet
 * @param open the regions before it that were not read to their end
 * @param from the smallest first part of a logical key that is still to be read; null for no bound
 * @param phase the phase of a question that is answered in several phases
 */
public record Position(
        int unopened, List<At> open, @Nullable String from, int phase) {

    static final Position BEGIN = new Position(0, List.of(), null, 0);

    /**
     * The position up to which one region was read.
     *
     * @param after the position of the last document that was read; null if no document was read
     */
    public record At(int region, @Nullable String after) {}

    public Position {
        open = List.copyOf(open);
    }
}
