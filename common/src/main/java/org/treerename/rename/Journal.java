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
 * The journal entries, and the one request that writes an entry and takes the lock set that goes with it. Any thread may
 * call it; one rename's writes come one after the other. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface Journal {

    /**
     * One attempt to prepare: the entry first, so that no lock ever stands without one, then a reading of the watermarks
     * of its records' partitions, then the removal of the previous attempt's hold, then every lock of the set.
     *
     * @param seen the entry's version; null where there is no entry yet
     * @param previousHoldId of the attempt before; null if there was none
     */
    record Attempt(
            JournalEntry entry,
            @Nullable Version seen,
            @Nullable String previousHoldId,
            Hold hold,
            LockSet locks) {

        /** Whether more is to be locked under the same hold, once these locks are held. */
        public boolean isFollowed() {
            return locks.isOpen();
        }
    }

    /**
     * What came of an attempt.
     *
     * @param entry how the entry's own write ended; where it is refused the locks have been tried all the same
     * @param refused the tables that came back without the hold
     * @param taken whether every table came back, and has the hold
     * @param expired whether a record of the entry is at or below the {@linkplain Watermarks watermark} of its
     *     partition; true only where the entry's own write took effect, because only then it was read where it is written
     * @param changed false if every table that came back is as it was before; may be true for what others did
     *     to it at the same moment
     */
    record Prepared(WriteResult entry, Set<LockTable.Id> refused, boolean taken, boolean expired, boolean changed) {
        public Prepared {
            refused = Set.copyOf(refused);
        }
    }

    /**
     * Sends an attempt in one request, whose items are applied in their order, not atomically. Where it throws, of whatever
     * kind, any of them may have been applied: the caller gives the hold back.
     */
    Prepared prepare(Attempt attempt);

    /** Writes an entry that was not there. */
    WriteResult create(JournalEntry entry);

    /** Writes the entry if it is still in the version {@code seen}. */
    WriteResult write(JournalEntry entry, Version seen);

    /**
     * The request ids of the entries in these states, the oldest first, as a search after a refresh shows them; also of
     * those that a later protocol has written, which {@link #read} refuses.
     */
    List<String> in(Set<State> states);

    /**
     * The oldest entries in a state that are older than {@code limit}: the log took all their records before it, and those
     * that have ended did so before it. As a search after a refresh shows them, those of a later protocol left out.
     *
     * @param most how many at most
     */
    List<Versioned<JournalEntry>> olderThan(State state, Instant limit, int most);

    /** Deletes those that are still in the version seen; how many. Where it throws, any of them may be deleted. */
    int delete(List<Versioned<JournalEntry>> seen);

    /** The entry now, read in real time, as {@link JournalEntry#seenIn seen in} its version. */
    Optional<Versioned<JournalEntry>> read(String requestId);

    /** The same of several requests, in one request where the store can; those without an entry are left out. */
    default List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        return requestIds.stream().flatMap(id -> read(id).stream()).toList();
    }

    /** The entry now, read at a node that is not cut off from the others: where it is empty, there was none. */
    Optional<Versioned<JournalEntry>> readForCertain(String requestId);

    /** The same, read there only where a cut-off one shows none. A placeholder is the entry of no request. */
    default Optional<Versioned<JournalEntry>> readOfRequest(String requestId) {
        return read(requestId)
                .filter(found -> !found.value().isPlaceholder())
                .or(() ->
                        readForCertain(requestId).filter(found -> !found.value().isPlaceholder()));
    }
}
