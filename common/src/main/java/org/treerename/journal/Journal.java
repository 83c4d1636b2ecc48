package org.treerename.journal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The store of the journal entries. The method {@link #prepare} writes an entry and acquires the lock set of this entry
 * in one request. Any thread may call this interface. At most one write of each entry may be in progress at a time.
 * Each call may throw {@link org.treerename.store.NoAnswerException}.
 */
public interface Journal {

    /**
     * One attempt to acquire locks, in one request. The request first writes the entry, so that no lock ever exists
     * without an entry. Then the request reads the watermark. Then it removes the hold of the previous attempt. Finally
     * the request acquires every lock of the set.
     *
     * @param step ATTEMPT or FURTHER_LOCKS; NO_OP if the request only reads the watermark
     * @param seen the version of the entry; null if there is no entry yet
     * @param previousHoldId the hold id of the previous attempt; null if there was none
     */
    record Attempt(
            JournalStep step,
            JournalEntry entry,
            @Nullable Version seen,
            @Nullable String previousHoldId,
            Hold hold,
            LockSet locks) {

        /** Returns whether a later step acquires further locks under the same hold. */
        public boolean isFollowed() {
            return locks.isOpen();
        }
    }

    /**
     * The result of an attempt.
     *
     * @param entry the result of the write of the entry; the request tries to acquire the locks even if this write is
     *     refused
     * @param refused the lock tables in the answer that do not contain the hold
     * @param taken whether the answer contains all lock tables of the lock set, and each table contains the hold
     * @param expired whether all records of the entry are before the {@linkplain Watermark watermark}. The value is
     *     false if the entry was not written, because the watermark must be read after a successful write
     * @param changed false if no returned table has changed; true may also mean that another process changed a table at
     *     the same moment
     */
    record Prepared(WriteResult entry, Set<LockTable.Id> refused, boolean taken, boolean expired, boolean changed) {
        public Prepared {
            refused = Set.copyOf(refused);
        }
    }

    /**
     * Sends an attempt in one request. Elasticsearch applies the items of the request in their order, not atomically.
     * If this method throws, Elasticsearch may have applied some or all of these items. The caller must then release
     * the hold.
     */
    Prepared prepare(Attempt attempt);

    /** Creates an entry if its request has no entry. */
    WriteResult create(JournalStep step, JournalEntry entry);

    /** Writes an entry for a step if the stored entry still has the version {@code seen}. */
    WriteResult write(JournalStep step, JournalEntry entry, Version seen);

    /**
     * Searches the journal after a refresh, and returns the request ids of the entries in these states, the oldest
     * first. The result includes entries of a later protocol version, which {@link #read} refuses.
     */
    List<String> in(Set<State> states);

    /** Searches the journal as {@link #in(Set)} does, and returns only the entries of these owners. */
    List<String> in(Set<State> states, Set<String> owners);

    /**
     * Searches the journal after a refresh, by one request, and returns the ids of the owners of the entries in these
     * states. If there are more than 10,000 owners, returns 10,000 of them.
     */
    Set<String> owners(Set<State> states);

    /**
     * Searches the journal after a refresh. Returns the oldest entries that are in this state and older than the limit.
     * An entry is older than the limit if Kafka appended all records of its request before the limit. If the rename of
     * the entry has ended, it ended before the limit. The result contains no entries of a later protocol version.
     *
     * @param after the {@linkplain JournalEntry#age age} of the last entry of the previous page; null for the first page
     * @param maxCount the largest number of entries to return
     */
    List<Versioned<JournalEntry>> olderThan(State state, Instant limit, @Nullable LockPriority after, int maxCount);

    /** Returns the first page of the entries in this state that are older than the limit. */
    default List<Versioned<JournalEntry>> olderThan(State state, Instant limit, int maxCount) {
        return olderThan(state, limit, null, maxCount);
    }

    /**
     * Deletes the entries that still have the version in {@code seen}, and returns the number of deleted entries. If
     * the method throws, it may have deleted some or all of these entries.
     */
    int delete(List<Versioned<JournalEntry>> seen);

    /** Reads the entry of a request in real time. The result has the deciding version ({@link JournalEntry#seenIn}). */
    Optional<Versioned<JournalEntry>> read(String requestId);

    /**
     * Reads the entries of several requests, in one request if the store can do so. Requests without an entry are left
     * out.
     */
    default List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return requestIds.stream().flatMap(id -> read(id).stream()).toList();
    }

    /**
     * Reads the entry at a node that is not cut off from the other nodes. An empty result proves that there was no
     * entry.
     */
    Optional<Versioned<JournalEntry>> readForCertain(String requestId);

    /**
     * Reads the entry of a request; returns empty for a placeholder. If the first read finds no entry, the method reads
     * again with {@link #readForCertain}.
     */
    default Optional<Versioned<JournalEntry>> readOfRequest(String requestId) {
        return read(requestId)
                .filter(found -> !found.value().isPlaceholder())
                .or(() ->
                        readForCertain(requestId).filter(found -> !found.value().isPlaceholder()));
    }
}
