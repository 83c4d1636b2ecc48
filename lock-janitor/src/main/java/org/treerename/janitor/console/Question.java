package org.treerename.janitor.console;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.LockSearch;
import org.treerename.rename.State;

/** What a browser can ask. Two that ask the same are told the same. */
sealed interface Question {

    /** From one reading to the next, at least, as long as somebody asks. */
    Duration every();

    /** Whether it takes long, so that no other question is to wait for it. */
    default boolean isSlow() {
        return false;
    }

    /** The processes, and how many journal entries are in each state. */
    record Now() implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(2);
        }
    }

    /** What is on its way, the first that was asked first. */
    record Renames(
            Phase phase,
            @Nullable String namespace,
            @Nullable LockPriority after) implements Question {

        /** Which of them. */
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
     * Who holds and who claims what.
     *
     * @param path at, above and below which; null for anywhere, and only with a namespace
     */
    record Locks(@Nullable String namespace, @Nullable String path, LockSearch.@Nullable At after) implements Question {
        @Override
        public Duration every() {
            return Duration.ofSeconds(4);
        }
    }

    /** What has ended, the last that was asked first. */
    record Outcomes(Filter filter, @Nullable LockPriority after) implements Question {

        static final Set<State> ENDED = Set.of(State.DONE, State.REJECTED, State.FAILED, State.CANCELLED, State.CLOSED);

        @Override
        public Duration every() {
            return isSlow() ? Duration.ofSeconds(10) : Duration.ofSeconds(3);
        }

        /** Many entries are read for what only the reading of one tells. */
        @Override
        public boolean isSlow() {
            return filter.isOfContents();
        }
    }

    /** What was taken over of late. */
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
