package org.treerename.producer.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Limits the number of searches that one caller may run at the same time, so that slow searches of one caller leave
 * connections to Elasticsearch for the other callers. Any thread may call this class.
 */
final class CallerShares {

    private final int most;
    private final Map<String, Integer> searches = new ConcurrentHashMap<>();

    CallerShares(int most) {
        this.most = most;
    }

    /**
     * Runs a search.
     *
     * @throws ProblemException if the caller runs too many searches
     */
    <T> T run(String caller, Supplier<T> search) {
        int running = searches.merge(caller, 1, Integer::sum);
        try {
            if (running > most) {
                throw new ProblemException(
                        Problem.TOO_MANY_REQUESTS,
                        "a caller may run at most " + most + " searches at the same time; try again later",
                        null,
                        Map.of("Retry-After", "1"));
            }
            return search.get();
        } finally {
            searches.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
        }
    }
}
