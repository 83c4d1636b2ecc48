package org.treerename.rename;

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
 * shows it as it was before our last acknowledged write says nothing: stopping by it would leave the rename with nobody. One
 * thread calls it.
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

    private final Journal journal;
    private final Carrier carrier;
    private JournalEntry entry;
    private Version version;

    OwnEntry(Journal journal, Carrier carrier, Versioned<JournalEntry> written) {
        this.journal = journal;
        this.carrier = carrier;
        this.entry = written.value();
        this.version = written.version();
    }

    JournalEntry entry() {
        return entry;
    }

    Version version() {
        return version;
    }

    /** Writes what follows; when it answers OURS the write was acknowledged. */
    Standing write(JournalEntry next) {
        String what = "the entry of " + entry.requestId();
        Backoff backoff = carrier.backoffs().begin("the write of " + what);
        while (true) {
            carrier.beforeWriting(what);
            try {
                switch (journal.write(next, version)) {
                    case WriteResult.Written written -> {
                        entry = next;
                        version = written.version();
                        return Standing.OURS;
                    }
                    case WriteResult.Conflict conflict -> {
                        Standing standing = reread(next);
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
    private Standing reread(JournalEntry next) {
        Versioned<JournalEntry> found = journal.readSince(entry.requestId(), version);
        if (isOurs(found.value(), next)) {
            version = found.version();
            return Standing.OURS;
        }
        log.warn(
                "request {}: expected the entry as {} left it ({}), found {}; this process stops carrying it",
                entry.requestId(),
                entry.ownership(),
                entry.state(),
                found.value().state() + " of " + found.value().ownership());
        return found.value().state() == State.RETRY ? Standing.GIVEN_BACK : Standing.LOST;
    }

    private boolean isOurs(JournalEntry found, JournalEntry next) {
        boolean unchanged = found.state() == entry.state() && found.isOwnedAs(entry.ownership());
        boolean arrived = found.state() == next.state() && found.isOwnedAs(next.ownership());
        return unchanged || arrived;
    }
}
