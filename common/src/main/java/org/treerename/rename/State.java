package org.treerename.rename;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The states of a journal entry, and what may follow each. */
public enum State {
    /** Nothing has moved; the entry's attempt may hold locks. */
    PREPARED,
    /** Given back: nothing has moved, nothing is held; the next delivery, or attempt of a writer, begins again. */
    RETRY,
    /** Of a writer, not of a rename: it holds its locks, or waits for them. It is only ever closed. */
    HELD,
    /** Decided: it will be finished. */
    MOVING,
    /** Decided, but a document cannot be moved; the locks are kept. */
    PARKED,
    /** Every document has moved; locks may still be held, the outcome may not be published. */
    DONE,
    REJECTED,
    FAILED,
    CANCELLED,
    /** The locks are given back and the outcome, if it is a rename's, is published. */
    CLOSED;

    /** Whether the outcome stands. */
    public boolean isFinal() {
        return switch (this) {
            case PREPARED, RETRY, HELD, MOVING, PARKED -> false;
            case DONE, REJECTED, FAILED, CANCELLED, CLOSED -> true;
        };
    }

    /** Whether it is entered by the write that decides a rename, which no other write has followed to another state. */
    boolean isDecided() {
        return switch (this) {
            case MOVING, REJECTED, FAILED, CANCELLED -> true;
            case PREPARED, RETRY, HELD, PARKED, DONE, CLOSED -> false;
        };
    }

    /** Whether it is that of an attempt at locks. */
    public boolean isAttempted() {
        return this == PREPARED || this == HELD;
    }

    /** Whether a live process must be at it, to finish it or to give it back. */
    public boolean needsOwner() {
        return switch (this) {
            case PREPARED, HELD, MOVING, DONE, REJECTED, FAILED, CANCELLED -> true;
            case RETRY, PARKED, CLOSED -> false;
        };
    }

    /** The states in which a live process must be at it. */
    public static Set<State> needingOwner() {
        return Arrays.stream(values()).filter(State::needsOwner).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a hold that this entry names may count. */
    public boolean mayHold() {
        return switch (this) {
            case PREPARED, HELD, MOVING, PARKED -> true;
            case RETRY, DONE, REJECTED, FAILED, CANCELLED, CLOSED -> false;
        };
    }

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
            case PARKED -> next == PARKED || next == MOVING;
            case DONE, REJECTED, FAILED, CANCELLED -> next == this || next == CLOSED;
            case CLOSED -> next == CLOSED;
        };
    }
}
