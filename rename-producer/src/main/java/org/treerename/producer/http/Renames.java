package org.treerename.producer.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.Overview;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.Cancellation;

/**
 * The renames of the journal, without the holds of writers. Any thread may call it; each call may throw {@link
 * org.treerename.store.NoAnswerException} or {@link org.treerename.store.RefusedException}.
 */
interface Renames {

    /** As a read shows it, which may change the next moment; empty where the journal knows none. */
    Optional<OwnedEntry> read(String requestId);

    /**
     * That of the request that the journal has under this id (see {@link org.treerename.wire.RequestCodec#digest}), as a read
     * shows it. A writer's hold has one, too, that no request has.
     */
    Optional<String> digest(String requestId);

    /** The same as {@link #read(String)} of several at once; those that it does not know are left out. */
    List<OwnedEntry> read(Collection<String> requestIds);

    /**
     * The next ones, the last that was asked for first. A page may be shorter than asked for, or empty, and yet have a next one.
     *
     * @param after {@link Overview.Renames#next} of the page before; null for the first page
     */
    Overview.Renames find(Filter filter, @Nullable LockPriority after, int most);

    /** See {@link Cancellation#cancel}. */
    Cancellation.Answer cancel(String requestId, String by);
}
