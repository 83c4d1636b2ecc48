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

    /** The beginning of the owner id of a cancelled entry. The request id follows. */
    public static final String CANCELLER = "cancel-";

    /** The beginning of the owner id of an abandoned entry. The request id follows. */
    public static final String ABANDONER = "abandon-";

    /** Returns whether this is the owner of a cancelled or abandoned entry. Such an owner is not a process. */
    public static boolean isNoProcess(String ownerId) {
        return ownerId.startsWith(CANCELLER) || ownerId.startsWith(ABANDONER);
    }

    /**
     * Returns whether a cancellation or an abandonment ended the entry, and no process has taken over the entry since
     * then. No process ever has such an owner id.
     */
    public boolean isOfNoProcess(String requestId) {
        return processId.equals(CANCELLER + requestId) || processId.equals(ABANDONER + requestId);
    }

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
