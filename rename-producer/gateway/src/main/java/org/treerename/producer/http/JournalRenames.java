package org.treerename.producer.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Delivery;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.Overview;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.Cancellation;
import org.treerename.store.Versioned;

/** Reads and cancels the renames in the journal. */
final class JournalRenames implements Renames {

    private final Journal journal;
    private final Overview overview;
    private final Cancellation cancellation;

    JournalRenames(Journal journal, Overview overview, Cancellation cancellation) {
        this.journal = journal;
        this.overview = overview;
        this.cancellation = cancellation;
    }

    @Override
    public Optional<OwnedEntry> read(String requestId) {
        return owned(journal.readOfRequest(requestId).stream()).stream().findFirst();
    }

    @Override
    public Optional<String> digest(String requestId) {
        return journal.read(requestId)
                .map(Versioned::value)
                .filter(entry -> !entry.isPlaceholder())
                .map(JournalEntry::digest);
    }

    @Override
    public List<OwnedEntry> read(Collection<String> requestIds) {
        return owned(journal.read(requestIds).stream());
    }

    private List<OwnedEntry> owned(Stream<Versioned<JournalEntry>> found) {
        return overview.withOwners(
                found.map(Versioned::value).filter(JournalRenames::isRename).toList());
    }

    @Override
    public Overview.Renames find(Filter filter, @Nullable LockPriority after, int most) {
        Overview.Renames page = overview.renames(filter, Order.NEWEST_FIRST, after, most);
        return new Overview.Renames(
                page.renames().stream().filter(found -> isRename(found.entry())).toList(), page.next());
    }

    /** The journal also contains entries of writers, and placeholders for requests that were not delivered yet. */
    private static boolean isRename(JournalEntry entry) {
        return entry.writeTarget() == null && !entry.isPlaceholder();
    }

    @Override
    public Optional<JournalEntry> confirmed(String requestId) {
        return cancellation.find(requestId);
    }

    @Override
    public Cancellation.Answer cancel(String requestId, String by) {
        return cancellation.cancel(requestId, by);
    }

    @Override
    public Cancellation.Answer cancel(Delivery queued, String by) {
        return cancellation.cancel(queued, by);
    }
}
