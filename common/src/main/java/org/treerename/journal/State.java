package org.treerename.journal;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The states of a journal entry, and the possible changes between these states. */
public enum State {
    /** No document has moved. The attempt of the entry may hold locks. */
    PREPARED,
    /** No document has moved, and no lock is held. The next delivery, or the writer, starts a new attempt. */
    RETRY,
    /**
     * The entry of a writer, not of a rename. The writer holds its locks or waits for them. Only HELD or CLOSED may
     * follow this state.
     */
    HELD,
    /** The rename is decided and will be finished. */
    MOVING,
    /** The rename is decided, but one of its documents cannot be moved now. The rename keeps its locks. */
    PARKED,
    /** Every document has moved, or the rename was abandoned. Locks may still be held, and the outcome may not be published yet. */
    DONE,
    REJECTED,
    FAILED,
    CANCELLED,
    /** The locks are released. If the entry belongs to a rename, its outcome is published. */
    CLOSED;

    /** Returns whether the outcome is final. */
    public boolean isFinal() {
        return switch (this) {
            case PREPARED, RETRY, HELD, MOVING, PARKED -> false;
            case DONE, REJECTED, FAILED, CANCELLED, CLOSED -> true;
        };
    }

    /** Returns whether the write that decides a rename sets this state. */
    boolean isDecided() {
        return switch (this) {
            case MOVING, REJECTED, FAILED, CANCELLED -> true;
            case PREPARED, RETRY, HELD, PARKED, DONE, CLOSED -> false;
        };
    }

    /** Returns whether an attempt to acquire locks writes this state. */
    public boolean isAttempted() {
        return this == PREPARED || this == HELD;
    }

    /** Returns whether a live process must own the entry, to finish it or to release its locks. */
    public boolean needsOwner() {
        return switch (this) {
            case PREPARED, HELD, MOVING, DONE, REJECTED, FAILED, CANCELLED -> true;
            case RETRY, PARKED, CLOSED -> false;
        };
    }

    /** Returns the states in which a live process must own the entry. */
    public static Set<State> needingOwner() {
        return Arrays.stream(values()).filter(State::needsOwner).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether the hold of an entry in this state may be valid. */
    public boolean mayHold() {
        return switch (this) {
            case PREPARED, HELD, MOVING, PARKED -> true;
            case RETRY, DONE, REJECTED, FAILED, CANCELLED, CLOSED -> false;
        };
    }

    /** Returns whether the state {@code next} may follow this state. */
    public boolean mayBecome(State next) {
        return switch (this) {
            case PREPARED ->
                switch (next) {
                    case PREPARED, RETRY, MOVING, REJECTED, FAILED, CANCELLED -> true;
                    case HELD, PARKED, DONE, CLOSED -> false;
                };
            case RETRY ->
                switch (next) {
                    case PREPARED, RETRY, HELD, FAILED, CANCELLED -> true;
                    case MOVING, PARKED, REJECTED, DONE, CLOSED -> false;
                };
            case HELD -> next == HELD || next == CLOSED;
            case MOVING -> next == MOVING || next == PARKED || next == DONE;
            case PARKED -> next == PARKED || next == MOVING || next == DONE;
            case DONE, REJECTED, FAILED, CANCELLED -> next == this || next == CLOSED;
            case CLOSED -> next == CLOSED;
        };
    }
}
