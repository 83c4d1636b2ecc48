package org.treerename.janitor.console;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.LockSearch;

/** A query that a browser can send. Equal queries share one answer. */
sealed interface Question {

    /** Returns the minimum time between two reads of the answer while browsers send this query. */
    Duration every();

    /** Returns whether a read of the answer takes a long time. Other queries must not wait for a slow read. */
    default boolean isSlow() {
        return false;
    }

    /** The processes, and the number of journal entries in each state. */
    record Now() implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(2);
        }
    }

    /** The renames that are not finished, the oldest request first. */
    record Renames(
            Phase phase,
            @Nullable String namespace,
            @Nullable LockPriority after) implements Question {

        /** The filter by state. Each value selects the renames in a group of states. */
        enum Phase {
            ALL,
            MOVING,
            WAITING,
            PARKED,
            HELD;

            private Set<State> states() {
                return switch (this) {
                    case ALL ->
                        EnumSet.of(State.PREPARED, State.RETRY, State.HELD, State.MOVING, State.PARKED, State.DONE);
                    case MOVING -> EnumSet.of(State.MOVING, State.DONE);
                    case WAITING -> EnumSet.of(State.PREPARED, State.RETRY);
                    case PARKED -> EnumSet.of(State.PARKED);
                    case HELD -> EnumSet.of(State.HELD);
                };
            }
        }

        Filter filter() {
            return Filter.ALL.in(phase.states()).of(namespace);
        }

        @Override
        public Duration every() {
            return Duration.ofSeconds(2);
        }
    }

    /**
     * The holds and claims on paths.
     *
     * @param path the answer contains only the locks at, above and below this path; null for the locks on all paths. If
     *     the path is not null, the namespace must not be null
     */
    record Locks(@Nullable String namespace, @Nullable String path, LockSearch.@Nullable At after) implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(4);
        }
    }

    /** The renames that have ended, the newest request first. */
    record Outcomes(Filter filter, @Nullable LockPriority after) implements Question {

        static final Set<State> ENDED = Set.of(State.DONE, State.REJECTED, State.FAILED, State.CANCELLED, State.CLOSED);

        @Override
        public Duration every() {
            return isSlow() ? Duration.ofSeconds(10) : Duration.ofSeconds(3);
        }

        /**
         * Returns whether the filter needs the contents of entries. A query with this filter is slow, because it reads
         * many entries.
         */
        @Override
        public boolean isSlow() {
            return filter.isOfContents();
        }
    }

    /** The journal entry of one rename or of one writer. */
    record Request(String requestId) implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(2);
        }
    }

    /** The numbers of renames that ended, and of requests that waited for locks, during the last hour. */
    record Activity() implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(5);
        }

        @Override
        public boolean isSlow() {
            return true;
        }
    }

    /** The renames that were taken over recently. */
    record TakeOvers() implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(10);
        }

        @Override
        public boolean isSlow() {
            return true;
        }
    }

    record DeadLetters() implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(15);
        }

        @Override
        public boolean isSlow() {
            return true;
        }
    }
}
