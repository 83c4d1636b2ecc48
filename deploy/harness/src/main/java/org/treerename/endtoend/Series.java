package org.treerename.endtoend;

import java.util.stream.Stream;

/** Cases that are alike: by default the first of them run, and with {@code -Drepeat=1}, which {@code -Pfull} sets, all. */
final class Series {

    static final boolean WHOLE = Integer.getInteger("repeat", 0) > 0;

    private Series() {}

    static <T> Stream<T> of(int representatives, Stream<T> cases) {
        return WHOLE ? cases : cases.limit(representatives);
    }
}
