package org.treerename.rename;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The journal entry of a rename that this process carries, and the only way in which it is written. Only an acknowledged
 * write counts. A write that is refused or not answered is followed by a read: where state, owner and hold id are still
 * ours the entry was only touched (or our write did arrive), and it is written again on the version read. A read that
 * shows nothing later than our own last write comes from a copy that is cut off, and says nothing. One thread calls it.
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
    private final ProcessContext context;
    private final boolean continued;
    private JournalEntry entry;

    /** What the next write goes over: the entry as we left it, or as somebody has touched it since. */
    private Versioned<JournalEntry> stored;

    /** Of our last acknowledged write; what was only read may never have been one. */
    private Version acknowledged;

    OwnEntry(Journal journal, ProcessContext context, Versioned<JournalEntry> written) {
        this.journal = journal;
        this.context = context;
        this.continued = written.value().state() != State.PREPARED;
        this.entry = written.value().seenIn(written.version());
        this.stored = new Versioned<>(entry, written.version());
        this.acknowledged = written.version();
    }

    /**
     * Whether the entry is this process's, open, and nobody carries it: a read of what was, or of what never came to be, made
     * it stop. No janitor takes it over while the process lives.
     */
    static boolean isDropped(JournalEntry entry, ProcessContext context) {
        boolean open = entry.state() == State.PREPARED || entry.state() == State.MOVING;
        return open && entry.ownership().processId().equals(context.processId());
    }

    /** Takes up what was dropped, by a write of its own; empty where that is not known to have succeeded. */
    static Optional<OwnEntry> pickUp(Journal journal, ProcessContext context, Versioned<JournalEntry> dropped) {
        JournalEntry mine = dropped.value().takenOver(context.processId());
        context.beforeWriting("the entry of " + mine.requestId());
        try {
            if (journal.write(mine, dropped.version()) instanceof WriteResult.Written written) {
                log.warn("request {} ({}) was dropped and is picked up", mine.requestId(), mine.state());
                return Optional.of(new OwnEntry(journal, context, new Versioned<>(mine, written.version())));
            }
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("request {}: its picking up got no answer: {}", mine.requestId(), e.getMessage());
        }
        return Optional.empty();
    }

    JournalEntry entry() {
        return entry;
    }

    /** Whether it was decided before it was ours: somebody else may have begun what follows, or this process before. */
    boolean isContinued() {
        return continued;
    }

    Version version() {
        return stored.version();
    }

    Versioned<JournalEntry> versioned() {
        return new Versioned<>(entry, version());
    }

    /**
     * Writes what follows, and keeps where else the request was delivered meanwhile; when it answers OURS the write was
     * acknowledged.
     */
    Standing write(JournalEntry following) {
        return write(following, journal::write);
    }

    /**
     * The same, by a request that does more than to write the entry over the version seen, and may be sent again.
     *
     * @param request answers how the entry's own write ended
     */
    Standing write(JournalEntry following, BiFunction<JournalEntry, Version, WriteResult> request) {
        JournalEntry wanted = following;
        String what = "the entry of " + entry.requestId();
        Backoff backoff = context.backoffs().begin("the write of " + what);
        while (true) {
            context.beforeWriting(what);
            try {
                JournalEntry next = wanted.over(stored.value());
                switch (request.apply(next, stored.version())) {
                    case WriteResult.Written written -> {
                        entry = next.seenIn(written.version());
                        stored = new Versioned<>(entry, written.version());
                        acknowledged = written.version();
                        return Standing.OURS;
                    }
                    case WriteResult.Conflict conflict -> {
                        Optional<Standing> standing = reread(next);
                        if (standing.isEmpty()) {
                            backoff.pause();
                        } else if (standing.get() != Standing.OURS) {
                            return standing.get();
                        }
                        wanted = wanted.repeatedAs(entry);
                    }
                }
            } catch (NoAnswerException e) {
                ProcessContext.pauseAfter(e, backoff);
            }
        }
    }

    /**
     * The refused write was either overtaken by a touch, or is an earlier one of ours whose answer was lost. Empty where the
     * read shows what was before our last acknowledged write, as a node does that is cut off from the others.
     */
    private Optional<Standing> reread(JournalEntry next) {
        Optional<Versioned<JournalEntry>> found = journal.read(entry.requestId());
        if (found.isPresent() && !found.get().version().isLaterThan(acknowledged)) {
            log.warn("request {}: a read shows the entry as it was before our last write", entry.requestId());
            return Optional.empty();
        }
        if (found.isPresent() && isOurs(found.get().value(), next)) {
            entry = entry.repeatedAs(found.get().value());
            stored = found.get();
            return Optional.of(Standing.OURS);
        }
        State state = found.map(f -> f.value().state()).orElse(null);
        log.warn(
                "request {}: expected the entry as {} left it ({}), found {}; this process stops carrying it",
                entry.requestId(),
                entry.ownership(),
                entry.state(),
                found.map(f -> f.value().state() + " of " + f.value().ownership())
                        .orElse("no entry"));
        return Optional.of(state == State.RETRY ? Standing.GIVEN_BACK : Standing.LOST);
    }

    /** The entry is unchanged, or our write arrived. */
    private boolean isOurs(JournalEntry found, JournalEntry next) {
        return isWrittenAs(entry, found) || isWrittenAs(next, found);
    }

    /** A decision or an outcome of the same process that differs comes from another thread of it, and is not ours. */
    private static boolean isWrittenAs(JournalEntry ours, JournalEntry found) {
        return found.state() == ours.state()
                && found.isOwnedAs(ours.ownership())
                && Objects.equals(found.decision(), ours.decision())
                && Objects.equals(found.ending(), ours.ending());
    }
}
