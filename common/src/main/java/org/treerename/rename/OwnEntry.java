package org.treerename.rename;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The journal entry of a rename that this process carries, and the only way in which it is written. Only an acknowledged
 * write counts. A write that is refused or not answered is followed by a read: where state, owner, epoch and hold id are
 * still ours the entry was only touched (or our write did arrive), and it is written again on the version read. A read that
 * shows nothing later than our own last write comes from a copy that is cut off, and says nothing; one that shows no entry
 * may, and is done again some times. One thread calls it.
 */
final class OwnEntry {

    /** Whether the rename is still ours. */
    enum Standing {
        OURS,
        /** Somebody gave it back: the entry is RETRY. */
        GIVEN_BACK,
        /** Somebody else carries it, or it has ended: stop, touch nothing. */
        LOST
    }

    private static final Logger log = LoggerFactory.getLogger(OwnEntry.class);

    /** With growing pauses, for longer than a copy that is cut off is taken for one of the others. */
    private static final int TRIES_UNTIL_GONE = 40;

    private final Journal journal;
    private final Carrier carrier;
    private JournalEntry entry;

    /** What the next write goes over: the entry as we left it, or as somebody has touched it since. */
    private Versioned<JournalEntry> stored;

    /** Of our last acknowledged write; what was only read may never have been one. */
    private Version acknowledged;

    OwnEntry(Journal journal, Carrier carrier, Versioned<JournalEntry> written) {
        this.journal = journal;
        this.carrier = carrier;
        this.entry = written.value().seenIn(written.version());
        this.stored = new Versioned<>(entry, written.version());
        this.acknowledged = written.version();
    }

    JournalEntry entry() {
        return entry;
    }

    Version version() {
        return stored.version();
    }

    /** Writes what follows; when it answers OURS the write was acknowledged. */
    Standing write(JournalEntry wanted) {
        String what = "the entry of " + entry.requestId();
        Backoff backoff = carrier.backoffs().begin("the write of " + what);
        while (true) {
            carrier.beforeWriting(what);
            try {
                JournalEntry next = wanted.over(stored.value());
                switch (journal.write(next, stored.version())) {
                    case WriteResult.Written written -> {
                        entry = next.seenIn(written.version());
                        stored = new Versioned<>(entry, written.version());
                        acknowledged = written.version();
                        return Standing.OURS;
                    }
                    case WriteResult.Conflict conflict -> {
                        Standing standing = reread(next, backoff.tries());
                        if (standing != Standing.OURS) {
                            return standing;
                        }
                    }
                }
            } catch (NoAnswerException e) {
                backoff.pauseAfter(e);
            }
        }
    }

    /** The refused write was either overtaken by a touch, or is an earlier one of ours whose answer was lost. */
    private Standing reread(JournalEntry next, int tries) {
        Optional<Versioned<JournalEntry>> found = journal.read(entry.requestId());
        boolean stale = found.isPresent() ? !found.get().version().isLaterThan(acknowledged) : tries < TRIES_UNTIL_GONE;
        if (stale) {
            throw new NoAnswerException("a read shows what stood there before the refused write's own version", null);
        }
        if (found.isPresent() && isOurs(found.get().value(), next)) {
            stored = found.get();
            return Standing.OURS;
        }
        State state = found.map(f -> f.value().state()).orElse(null);
        log.warn(
                "request {}: expected the entry as {} left it ({}), found {}; this process stops carrying it",
                entry.requestId(),
                entry.ownership(),
                entry.state(),
                found.map(f -> f.value().state() + " of " + f.value().ownership())
                        .orElse("no entry"));
        return state == State.RETRY ? Standing.GIVEN_BACK : Standing.LOST;
    }

    private boolean isOurs(JournalEntry found, JournalEntry next) {
        boolean unchanged = found.state() == entry.state() && found.isOwnedAs(entry.ownership());
        boolean arrived = found.state() == next.state() && found.isOwnedAs(next.ownership());
        return unchanged || arrived;
    }
}
