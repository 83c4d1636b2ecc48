package org.treerename.producer.reader;

import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * The limits of the searches of a view.
 *
 * @param time the longest time for which Elasticsearch may work on one search; zero for no limit
 * @param counter receives the number of bytes of each part of an answer; an exception of the counter ends the search.
 *     A thread of the HTTP client calls the counter. If an answer is too large, the counter receives the negative
 *     number of its bytes, because the search is repeated for fewer documents
 */
public record SearchLimits(Duration time, IntConsumer counter) {

    static final SearchLimits NONE = new SearchLimits(Duration.ZERO, bytes -> {});
}
