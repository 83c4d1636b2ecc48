package org.treerename.journal;

/** A predecessor that did not end in time. The dependent request ends without an attempt. */
public record UnmetDependency(String requestId, Why why) {

    /** The reason why the dependent request no longer waits. */
    public enum Why {
        /** The dependent request has waited for its maximum time, and the journal has no entry of the predecessor. */
        UNKNOWN,
        /** The predecessor was parked during the whole maximum time for which a request waits for locks. */
        PARKED,
        /**
         * The predecessor was released for a retry, and no worker processed it again. This state lasted for the whole
         * maximum time for which a dependent request waits for the first entry of its predecessor.
         */
        RELEASED
    }

    /** Returns the dependency on a predecessor that has no entry. */
    public static UnmetDependency unknown(String requestId) {
        return new UnmetDependency(requestId, Why.UNKNOWN);
    }

    /** Returns the dependency on a parked request. */
    public static UnmetDependency parked(String requestId) {
        return new UnmetDependency(requestId, Why.PARKED);
    }

    /** Returns the dependency on a request that was released for a retry. */
    public static UnmetDependency released(String requestId) {
        return new UnmetDependency(requestId, Why.RELEASED);
    }

    @Override
    public String toString() {
        return requestId + " (" + why + ")";
    }
}
