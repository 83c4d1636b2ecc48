package org.treerename.rename;

/** A request that another request is to come after, and because of which that one ends without an attempt. */
public record UnmetDependency(String requestId, Why why) {

    /** Why the other request waits no longer. */
    public enum Why {
        /** The journal has known no entry of it for as long as a request waits for one. */
        UNKNOWN,
        /** It has been parked for as long as a request waits for locks. */
        PARKED,
        /** It was given back, and for as long as a request waits for a first entry nobody has carried it. */
        GIVEN_BACK
    }

    /** Returns a request without an entry. */
    public static UnmetDependency unknown(String requestId) {
        return new UnmetDependency(requestId, Why.UNKNOWN);
    }

    /** Returns a request that is parked. */
    public static UnmetDependency parked(String requestId) {
        return new UnmetDependency(requestId, Why.PARKED);
    }

    /** Returns a request that was given back. */
    public static UnmetDependency givenBack(String requestId) {
        return new UnmetDependency(requestId, Why.GIVEN_BACK);
    }

    @Override
    public String toString() {
        return requestId + " (" + why + ")";
    }
}
