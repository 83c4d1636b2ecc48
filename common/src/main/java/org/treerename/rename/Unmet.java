package org.treerename.rename;

/** A request that another request is to come after, and because of which that one ends without an attempt. */
public record Unmet(String requestId, Why why) {

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
    public static Unmet unknown(String requestId) {
        return new Unmet(requestId, Why.UNKNOWN);
    }

    /** Returns a request that is parked. */
    public static Unmet parked(String requestId) {
        return new Unmet(requestId, Why.PARKED);
    }

    /** Returns a request that was given back. */
    public static Unmet givenBack(String requestId) {
        return new Unmet(requestId, Why.GIVEN_BACK);
    }

    @Override
    public String toString() {
        return requestId + " (" + why + ")";
    }
}
