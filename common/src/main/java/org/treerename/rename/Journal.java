package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument.Blocker;
import org.treerename.lock.LockSet;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The journal entries, and the one request that writes an entry and takes the lock set that goes with it. Any thread may
 * call it; one rename's writes come one after the other. Each call may throw {@link
 * NoAnswerException}.
 */
public interface Journal {

    /**
     * One attempt to prepare: the entry first, so that no lock ever stands without one, then the removal of the previous
     * attempt's hold, then every lock of the set.
     *
     * @param seen the entry's version; null where there is no entry yet
     * @param previousHoldId of the attempt before; null if there was none
     */
    record Attempt(
            JournalEntry entry,
            @Nullable Version seen,
            @Nullable String previousHoldId,
            Hold hold,
            LockSet locks) {}

    /**
     * What came of an attempt.
     *
     * @param entry how the entry's own write ended; where it is refused the locks have been tried all the same
     * @param blockers who refused a lock; empty, with {@code taken}, if the whole set is held
     * @param taken whether every lock document that came back carries the hold
     */
    record Prepared(WriteResult entry, List<Blocker> blockers, boolean taken) {
        public Prepared {
            blockers = List.copyOf(blockers);
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

    /** The request ids of the entries in these states, the oldest first, as a search after a refresh shows them. */
    List<String> in(Set<State> states);

    /** Deletes the entry if it is still in the version {@code seen}. */
    WriteResult delete(String requestId, Version seen);

    /** The entry now, read in real time; a copy that is cut off shows it as it was before. */
    Optional<Versioned<JournalEntry>> read(String requestId);

    /**
     * The entry, no older than a write of it that is known. Entries that somebody carries are never deleted, so one that is
     * not found was read from a copy that does not have it yet.
     *
     * @throws NoAnswerException if what was read is older
     */
    default Versioned<JournalEntry> readSince(String requestId, Version known) {
        return read(requestId)
                .filter(found -> !found.version().isOlderThan(known))
                .orElseThrow(() -> new NoAnswerException(
                        "the entry of " + requestId + " was read as it was before its write " + known, null));
    }
}
