package org.treerename.endtoend;

import java.util.stream.Stream;

/** Cases that are alike: the first of them stand for all, unless {@code -Drepeat} says that tests are to be repeated. */
final class Series {

    static final boolean WHOLE = Integer.getInteger("repeat", 0) > 0;

    private Series() {}

    static <T> Stream<T> of(int representatives, Stream<T> cases) {
        return WHOLE ? cases : cases.limit(representatives);
    }
}
