package org.treerename.journal;

import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The journal entry of a rename that this process owns. The process writes the entry only through this class, and
 * relies only on acknowledged writes. After a write without an answer, this class sends the write again. After a
 * refused write, this class reads the entry. If the entry is as this process last wrote it, another process made a
 * no-op write. If the entry is as this process wanted to write it, the write arrived. In these two cases, this class
 * writes the entry again if the entry still has the version that was read. This class ignores a read of a version that
 * is not later than the version of the last acknowledged write. A node that is cut off returns such a version. Only one
 * thread calls this class.
 */
public final class OwnEntry {

    /** The result of a write or a read: whether this process still owns the rename. */
    public enum OwnedResult {
        OURS,
        /** Another process released the locks of the rename. The entry is in RETRY. */
        RELEASED,
        /**
         * Another process or thread owns the rename, or the rename has ended. The caller must stop and must not write.
         */
        LOST
    }

    private static final Logger log = LoggerFactory.getLogger(OwnEntry.class);

    private final Journal journal;
    private final ProcessContext context;
    private final boolean continued;
    private JournalEntry entry;

    /**
     * The entry that the next write replaces. Either this process wrote this entry, or another process wrote it with a
     * no-op write.
     */
    private Versioned<JournalEntry> stored;

    /**
     * The version of the last acknowledged write of this process. A read may return a version whose write was never
     * acknowledged.
     */
    private Version acknowledged;

    public OwnEntry(Journal journal, ProcessContext context, Versioned<JournalEntry> written) {
        this.journal = journal;
        this.context = context;
        this.continued = written.value().state() != State.PREPARED;
        this.entry = written.value().seenIn(written.version());
        this.stored = new Versioned<>(entry, written.version());
        this.acknowledged = written.version();
    }

    /**
     * Returns whether an entry is PREPARED or MOVING, and this process owns it. Call this method only if no thread of
     * this process is processing the request. If the result is true, an earlier thread stopped before the request
     * ended. Possible causes are a stale read, a write that was never acknowledged, and an unexpected failure. No
     * janitor takes over the entry while this process is live.
     */
    public static boolean isDropped(JournalEntry entry, ProcessContext context) {
        boolean open = entry.state() == State.PREPARED || entry.state() == State.MOVING;
        return open && entry.ownership().processId().equals(context.processId());
    }

    /**
     * Continues a dropped entry after a conditional write. Returns empty if the write was refused or not acknowledged.
     */
    public static Optional<OwnEntry> pickUp(Journal journal, ProcessContext context, Versioned<JournalEntry> dropped) {
        JournalEntry mine = dropped.value().takenOver(context.processId());
        context.beforeWriting("the journal entry of request " + mine.requestId());
        try {
            if (journal.write(JournalStep.PICK_UP, mine, dropped.version()) instanceof WriteResult.Written written) {
                log.warn(
                        "request {} ({}): this process owns the journal entry, but none of its threads processed the"
                                + " request; this process continues the request",
                        mine.requestId(),
                        mine.state());
                return Optional.of(new OwnEntry(journal, context, new Versioned<>(mine, written.version())));
            }
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "request {}: the write of the journal entry got no answer: {}; reading the entry again",
                            mine.requestId(),
                            e.getMessage());
        }
        return Optional.empty();
    }

    public JournalEntry entry() {
        return entry;
    }

    /**
     * Returns whether the rename was decided before this object was created. If the method returns true, this or
     * another process may already have moved documents.
     */
    public boolean isContinued() {
        return continued;
    }

    Version version() {
        return stored.version();
    }

    public Versioned<JournalEntry> versioned() {
        return new Versioned<>(entry, version());
    }

    /**
     * Writes the next entry. If another process has added positions of records to the stored entry, the next entry
     * keeps these positions.
     *
     * @return OURS if the write was acknowledged
     */
    public OwnedResult write(JournalStep step, JournalEntry following) {
        return write(following, (next, seen) -> journal.write(step, next, seen));
    }

    /**
     * Parks this decided rename: it cannot continue now, and keeps its locks. If this process dies before the write,
     * another process rolls the rename forward and parks it if necessary.
     */
    public OwnedResult park(Parking why) {
        log.error("request {} is parked and keeps its locks: {}; a janitor tries again", entry.requestId(), why);
        return write(JournalStep.PARK, entry.parked(why));
    }

    /**
     * Writes the next entry with a request that may write documents as well. The request writes the entry only if the
     * stored entry still has the given version. This method may send the request several times.
     *
     * @param request sends the request and returns the result of the write of the entry
     * @return OURS if the write was acknowledged
     */
    public OwnedResult write(JournalEntry following, BiFunction<JournalEntry, Version, WriteResult> request) {
        JournalEntry wanted = following;
        String what = "the journal entry of request " + entry.requestId();
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
                        return OwnedResult.OURS;
                    }
                    case WriteResult.Conflict conflict -> {
                        Optional<OwnedResult> owned = reread(next);
                        if (owned.isEmpty()) {
                            backoff.pause();
                        } else if (owned.get() != OwnedResult.OURS) {
                            return owned.get();
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
     * Reads the entry after a refused write. Either another process made a no-op write, or an earlier write of this
     * process arrived and its answer was lost. Returns empty if the read version is not later than the version of the
     * last acknowledged write of this process. A node that is cut off returns such a version.
     */
    private Optional<OwnedResult> reread(JournalEntry next) {
        Optional<Versioned<JournalEntry>> found = journal.read(entry.requestId());
        if (found.isPresent() && !found.get().version().isLaterThan(acknowledged)) {
            log.warn(
                    "request {}: a read returned the entry as it was before the last acknowledged write; ignoring"
                            + " this read and reading again",
                    entry.requestId());
            return Optional.empty();
        }
        if (found.isPresent() && isOurs(found.get().value(), next)) {
            entry = entry.repeatedAs(found.get().value());
            stored = found.get();
            return Optional.of(OwnedResult.OURS);
        }
        State state = found.map(f -> f.value().state()).orElse(null);
        log.warn(
                "request {}: the journal entry has changed: expected {} of {}, found {}; this process stops"
                        + " processing the request",
                entry.requestId(),
                entry.state(),
                entry.ownership(),
                found.map(f -> f.value().state() + " of " + f.value().ownership())
                        .orElse("no entry"));
        return Optional.of(state == State.RETRY ? OwnedResult.RELEASED : OwnedResult.LOST);
    }

    /** Returns whether the entry is unchanged, or the write of this process arrived. */
    private boolean isOurs(JournalEntry found, JournalEntry next) {
        return isWrittenAs(entry, found) || isWrittenAs(next, found);
    }

    /**
     * Returns whether the entry {@code found} is a write of {@code ours} by this thread. If the decision or the outcome
     * differs, another thread of the same process wrote {@code found}.
     */
    private static boolean isWrittenAs(JournalEntry ours, JournalEntry found) {
        return found.state() == ours.state()
                && found.ownership().isSameAs(ours.ownership())
                && found.decided().equals(ours.decided())
                && found.ended().equals(ours.ended());
    }
}
