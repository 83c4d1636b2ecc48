package org.treerename.store;

/** The version of a document: the sequence number and the primary term of its last write. */
public record Version(long seqNo, long primaryTerm) {

    /**
     * Returns whether the write of this version is later than the write of the other version. Both versions must belong
     * to acknowledged writes of one shard.
     */
    public boolean isLaterThan(Version other) {
        return primaryTerm == other.primaryTerm ? seqNo > other.seqNo : primaryTerm > other.primaryTerm;
    }
}
