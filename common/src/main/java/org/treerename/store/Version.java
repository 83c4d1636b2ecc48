package org.treerename.store;

/** Which write of a document one has seen: its sequence number and the primary term that gave it. */
public record Version(long seqNo, long primaryTerm) {

    /** Whether, of two versions of documents of one shard, this was given later; what is never acknowledged may differ. */
    public boolean isLaterThan(Version other) {
        return seqNo > other.seqNo && primaryTerm >= other.primaryTerm;
    }
}
