package org.treerename.journal;

import org.jspecify.annotations.Nullable;

/**
 * The owner of an entry: the process, and the hold id of its attempt. Process ids and hold ids are never used again.
 *
 * @param epoch the number of attempts and take-overs. The number is only for people, and no decision depends on it
 * @param holdId the hold id of the attempt; null if there is none
 */
public record Ownership(
        String processId, long epoch, @Nullable String holdId) {

    /** Returns whether this owner and the other owner have the same process and the same hold. Ignores the epoch. */
    boolean isSameAs(Ownership other) {
        return new Ownership(processId, other.epoch, holdId).equals(other);
    }

    Ownership takenOverBy(String process) {
        return new Ownership(process, epoch + 1, holdId);
    }

    Ownership withoutHold() {
        return new Ownership(processId, epoch, null);
    }
}
