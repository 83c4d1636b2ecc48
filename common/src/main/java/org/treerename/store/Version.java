package org.treerename.store;

/** Which write of a document one has seen: its sequence number and the primary term that gave it. */
public record Version(long seqNo, long primaryTerm) {

    /** Whether, of two acknowledged writes in one shard, this was the later one. */
    public boolean isLaterThan(Version other) {
        return primaryTerm == other.primaryTerm ? seqNo > other.seqNo : primaryTerm > other.primaryTerm;
    }
}
