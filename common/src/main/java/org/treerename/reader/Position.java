package org.treerename.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Up to where the pages of one question were read.
 *
 * @param unopened the first region, in their order, of which nothing was read
 * @param open the regions before it that were not read to their end
 * @param from the least first part of a logical key that counts; null for any
 * @param phase of a question that is answered in several parts
 */
public record Position(
        int unopened, List<At> open, @Nullable String from, int phase) {

    static final Position BEGIN = new Position(0, List.of(), null, 0);

    /**
     * Up to where one region was read.
     *
     * @param after the position of the document that was read last; null if none was
     */
    public record At(int region, @Nullable String after) {}

    public Position {
        open = List.copyOf(open);
    }
}
