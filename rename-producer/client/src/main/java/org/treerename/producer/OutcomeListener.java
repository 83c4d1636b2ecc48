package org.treerename.producer;

/**
 * Receives the outcomes of all requests of an installation. A program with such a listener follows the renames of all
 * programs, for example in order to update a cache, a search page or a copy of a tree.
 *
 * <pre>{@code
 * OutcomeSubscription subscription = renames.subscribe(OutcomeStart.group("page-cache"), (published, position) -> {
 *     Outcome outcome = published.outcome();
 *     if (outcome.committedAt() != null && outcome.paths() != null) {
 *         cache.evictBelow(outcome.paths().namespace(), outcome.paths().source());
 *         cache.evictBelow(outcome.paths().namespace(), outcome.paths().destination());
 *     }
 * });
 * }</pre>
 *
 * <p>Each outcome arrives at least once. An outcome may arrive again, for example after a crash, or after a change of
 * the members of the consumer group. It also arrives again if it was published twice. So a second call with the same
 * outcome must have no further effect. For example, an eviction from a cache may be repeated. Outcomes of different
 * requests arrive in any order, because their records may be in different partitions.
 *
 * <p>One thread of the subscription makes all calls, one after the other. If a call throws an exception, the
 * subscription logs the exception. After a second, the subscription repeats the call with the same outcome. Until the
 * call succeeds, later outcomes of the same partition wait, but outcomes of other partitions arrive. To skip an outcome
 * whose call fails, catch the exception in the listener.
 */
@FunctionalInterface
public interface OutcomeListener {

    /**
     * Receives one outcome.
     *
     * @param outcome the outcome and its published JSON
     * @param position the position of the outcome's record. If you use {@link OutcomeStart#after}, store this position
     *     together with the effect of the outcome
     * @throws Exception if the outcome could not be processed; the same outcome arrives again after a second
     */
    void ended(PublishedOutcome outcome, OutcomePosition position) throws Exception;
}
