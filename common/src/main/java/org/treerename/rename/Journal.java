package org.treerename.rename;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The journal entries, and the one request that writes an entry and acquires the lock set that belongs to it. Any
 * thread may call it, but the writes of one rename come one after the other. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface Journal {

    /**
     * One attempt to acquire locks. Its request writes the entry first, so that no lock ever exists without an entry.
     * Then it reads the watermarks of the partitions of its records, removes the hold of the previous attempt, and
     * acquires every lock of the set.
     *
     * @param seen the version of the entry; null if there is no entry yet
     * @param previousHoldId the hold id of the previous attempt; null if there was none
     */
    record Attempt(
            JournalEntry entry,
            @Nullable Version seen,
            @Nullable String previousHoldId,
            Hold hold,
            LockSet locks) {

        /** Returns whether further locks are acquired under the same hold after these locks. */
        public boolean isFollowed() {
            return locks.isOpen();
        }
    }

    /**
     * The result of an attempt.
     *
     * @param entry the result of the write of the entry; the locks are tried even if this write is refused
     * @param refused the tables that the answer returns without the hold
     * @param taken whether the answer returns every table, and each has the hold
     * @param expired whether a record of the entry is at or below the {@linkplain Watermarks watermark} of its
     *     partition. It is true only if the entry was written, because only then is the watermark read after a
     *     successful write
     * @param changed false if every returned table is as it was before; true may also be due to another process that
     *     changed a table at the same moment
     */
    record Prepared(WriteResult entry, Set<LockTable.Id> refused, boolean taken, boolean expired, boolean changed) {
        public Prepared {
            refused = Set.copyOf(refused);
        }
    }

    /**
     * Sends an attempt in one request. Elasticsearch applies its items in their order, not atomically. If this method
     * throws any exception, each item may have been applied, and the caller must release the hold.
     */
    Prepared prepare(Attempt attempt);

    /** Creates an entry if there is none. */
    WriteResult create(JournalEntry entry);

    /** Writes the entry if it is still in the version {@code seen}. */
    WriteResult write(JournalEntry entry, Version seen);

    /**
     * Returns the request ids of the entries in these states, the oldest first, as a search after a refresh shows them.
     * It includes entries that a later protocol has written, which {@link #read} refuses.
     */
    List<String> in(Set<State> states);

    /**
     * Returns the oldest entries in a state that are older than {@code limit}: the log appended all their records
     * before it and, if they have ended, they ended before it. A search after a refresh finds them. Entries of a later
     * protocol are left out.
     *
     * @param maxCount the largest number of entries to return
     */
    List<Versioned<JournalEntry>> olderThan(State state, Instant limit, int maxCount);

    /** Deletes the entries that are still in the version seen, and returns their number. If it throws, any of them may be deleted. */
    int delete(List<Versioned<JournalEntry>> seen);

    /** Reads the entry in real time, as {@link JournalEntry#seenIn seen in} its version. */
    Optional<Versioned<JournalEntry>> read(String requestId);

    /** Reads the entries of several requests, in one request if the store can do so. Requests without an entry are left out. */
    default List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return requestIds.stream().flatMap(id -> read(id).stream()).toList();
    }

    /** Reads the entry at a node that is not cut off from the other nodes. If the result is empty, there was no entry. */
    Optional<Versioned<JournalEntry>> readForCertain(String requestId);

    /**
     * Reads the entry of a request, and leaves out a placeholder. It reads at a node that is certainly not cut off only
     * if the first read finds no entry.
     */
    default Optional<Versioned<JournalEntry>> readOfRequest(String requestId) {
        return read(requestId)
                .filter(found -> !found.value().isPlaceholder())
                .or(() ->
                        readForCertain(requestId).filter(found -> !found.value().isPlaceholder()));
    }
}
