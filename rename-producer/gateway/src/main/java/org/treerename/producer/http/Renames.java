package org.treerename.producer.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.Overview;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.Cancellation;

/**
 * Reads and cancels the renames in the journal. Each call may throw {@link org.treerename.store.NoAnswerException} or
 * {@link org.treerename.store.RefusedException}.
 */
interface Renames {

    /** Returns the current state of a rename; empty if the journal has no rename with this id. */
    Optional<OwnedEntry> read(String requestId);

    /**
     * Returns the digest of the request that the journal has under this id (see {@link
     * org.treerename.kafka.RequestCodec#digest}). The digest may change at any time. The journal has digests of
     * writers' holds, too. These digests differ from the digest of every request.
     */
    Optional<String> digest(String requestId);

    /**
     * Returns the current states of the renames with these ids. Omits ids for which the journal has no rename.
     */
    List<OwnedEntry> read(Collection<String> requestIds);

    /**
     * Returns the next page of renames, the latest request first. A page with fewer than {@code most} renames, or
     * without renames, is not always the last page.
     *
     * @param after {@link Overview.Renames#next} of the previous page; null for the first page
     */
    Overview.Renames find(Filter filter, @Nullable LockPriority after, int most);

    /**
     * Returns the entry of a rename or of a writer; empty if there is no entry with this id. If the entry is decided,
     * an acknowledged write has confirmed the entry. See {@link Cancellation#find}.
     */
    Optional<JournalEntry> confirmed(String requestId);

    /** Cancels a rename if it is not decided. See {@link Cancellation#cancel(String, String)}. */
    Cancellation.Answer cancel(String requestId, String by);

    /** Cancels a rename that no worker may have begun. See {@link Cancellation#cancel(Delivery, String)}. */
    Cancellation.Answer cancel(Delivery queued, String by);
}
