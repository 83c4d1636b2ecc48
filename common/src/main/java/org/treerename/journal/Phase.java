package org.treerename.journal;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of an entry, with the data that exist in this state. A phase without its data cannot be created. A rename
 * in MOVING, PARKED or DONE has a decision. A rename that has ended has an outcome.
 */
public sealed interface Phase {

    State state();

    default @Nullable Decision decision() {
        return null;
    }

    default Progress progress() {
        return Progress.NONE;
    }

    default @Nullable Ending ending() {
        return null;
    }

    private static void check(State state, Set<State> allowed) {
        if (!allowed.contains(state)) {
            throw new IllegalArgumentException("expected one of the states " + allowed + ", was " + state);
        }
    }

    /** The phase in PREPARED, RETRY or HELD: nothing is decided, and no document has moved. */
    record Undecided(State state) implements Phase {
        public Undecided {
            check(state, EnumSet.of(State.PREPARED, State.RETRY, State.HELD));
        }
    }

    /** The phase in MOVING: the rename is decided, and its documents move. */
    record Moving(Decision decision, Progress progress) implements Phase {
        @Override
        public State state() {
            return State.MOVING;
        }
    }

    /** The phase in PARKED: the rename is decided, but cannot continue now. */
    record Parked(Decision decision, Progress progress, Parking parking) implements Phase {
        @Override
        public State state() {
            return State.PARKED;
        }
    }

    /** The phase in DONE: every document has moved, or the rename was abandoned. The outcome is final. */
    record Done(Decision decision, Progress progress, Ending ending) implements Phase {
        @Override
        public State state() {
            return State.DONE;
        }
    }

    /** The phase in REJECTED, FAILED or CANCELLED: the rename has ended, and no document has moved. */
    record Refused(State state, Ending ending) implements Phase {
        public Refused {
            check(state, EnumSet.of(State.REJECTED, State.FAILED, State.CANCELLED));
        }
    }

    /**
     * The phase in CLOSED: the locks are released, and the outcome of a rename is published.
     *
     * @param decision the decision; null for a writer, or if the rename was not committed
     * @param ending the outcome; null for a writer
     */
    record Closed(
            @Nullable Decision decision,
            Progress progress,
            @Nullable Ending ending) implements Phase {
        public Closed {
            if (decision != null && ending == null) {
                throw new IllegalArgumentException("a decided rename cannot be closed without its outcome");
            }
        }

        @Override
        public State state() {
            return State.CLOSED;
        }
    }
}
