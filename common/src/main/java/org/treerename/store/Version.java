package org.treerename.store;

/** Which write of a document one has seen: its sequence number and the primary term that gave it. */
public record Version(long seqNo, long primaryTerm) {

    /** Whether the write came before the other one, or is one of a primary that was replaced before that. */
    public boolean isOlderThan(Version other) {
        return primaryTerm < other.primaryTerm || seqNo < other.seqNo;
    }
}
