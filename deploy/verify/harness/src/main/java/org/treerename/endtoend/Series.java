package org.treerename.endtoend;

import java.util.stream.Stream;

/**
 * Limits the number of similar test cases. By default only the first cases run. All cases run with {@code -Drepeat=1},
 * which {@code -Pfull} sets.
 */
final class Series {

    static final boolean WHOLE = Integer.getInteger("repeat", 0) > 0;

    private Series() {}

    static <T> Stream<T> of(int representatives, Stream<T> cases) {
        return WHOLE ? cases : cases.limit(representatives);
    }
}
