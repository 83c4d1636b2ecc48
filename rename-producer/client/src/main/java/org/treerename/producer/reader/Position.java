package org.treerename.producer.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which the pages of one query were read. A query reads its regions in a fixed order.
 *
 * @param unopened the index of the first region that was not read yet
 * @param open the regions before {@code unopened} that may still have unread documents
 * @param from the smallest first part of the logical keys that are not read yet; null for no bound
 * @param phase the current phase if the query runs in several phases; otherwise 0
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
        long regions = open.stream().map(At::region).distinct().count();
        boolean areRead = open.stream().allMatch(at -> at.region() >= 0 && at.region() < unopened);
        if (regions < open.size() || !areRead) {
            throw new IllegalArgumentException("expected each region at most once, and before the region " + unopened
                    + "; found " + open.size() + " positions; request the first page again");
        }
    }
}
