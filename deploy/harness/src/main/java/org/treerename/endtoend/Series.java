package org.treerename.endtoend;

import java.util.stream.Stream;

/** Limits similar cases of a test. By default the first cases run. All run with {@code -Drepeat=1}, which {@code -Pfull} sets. */
final class Series {

    static final boolean WHOLE = Integer.getInteger("repeat", 0) > 0;

    private Series() {}

    static <T> Stream<T> of(int representatives, Stream<T> cases) {
        return WHOLE ? cases : cases.limit(representatives);
    }
}
