package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

/**
 * Acquires an exclusive lock on the path of every document below the source of one rename. The rename already holds its
 * lock set. Only one thread calls this class. The memory that this class uses does not grow with the number of
 * documents. Only the lock tables store which locks are held, so every scan requests each lock again.
 *
 * <ol>
 *   <li>Make a strict scan of the documents below the source. The refresh of the scan begins while the lock set is
 *       held.
 *   <li>Request the locks on the documents that the scan found, in one request after another. A request contains as
 *       many locks as permitted, so it may contain the locks for several pages of the scan. Each request writes the
 *       entry conditionally before it acquires locks under the hold of the lock set. If the process dies here, the
 *       entry names the hold, and a release finds the locks by this hold.
 *   <li>Repeat from step 1 until a whole scan acquires no new lock. The scans also end when their number reaches the
 *       maximum number of passes of a move. The scans reach this maximum only if programs without locks keep creating
 *       documents below the source.
 * </ol>
 *
 * The refresh of the last scan begins after all locks were acquired. So this scan also shows documents that the
 * previous scan may have missed. Either a program without locks created these documents, or a cut-off node did not show
 * them. A document needs no lock if its path field contains no valid path, because no valid request can name this
 * document.
 */
final class DocumentLocks implements FurtherLocks {

    /** The largest number of locks in one request. */
    private static final int AT_ONCE = 1_000;

    /** The approximate largest number of characters of the paths in one request. */
    private static final int CHARACTERS_AT_ONCE = 1_000_000;

    /** The progress is logged each time this number of locks has been acquired. */
    private static final int LOGGED_EVERY = 100_000;

    private static final Logger log = LoggerFactory.getLogger(DocumentLocks.class);

    private final Journal journal;
    private final TreeStore tree;
    private final ProcessContext context;
    private final Rename rename;

    DocumentLocks(Journal journal, TreeStore tree, ProcessContext context, Rename rename) {
        this.journal = journal;
        this.tree = tree;
        this.context = context;
        this.rename = rename;
    }

    /**
     * Acquires the locks on the documents below the source. A rename needs none of these locks if it moves no document
     * or can only be rejected.
     */
    @Override
    public Taken take(OwnEntry own, Hold hold) {
        if (rename.destination().isAtOrBelow(rename.source())) {
            return new Taken.All();
        }
        Backoff backoff =
                context.backoffs().begin("the reading of " + rename.source() + " for request " + rename.requestId());
        int rounds = 0;
        while (rounds < context.maxPasses()) {
            Round round = new Round(own, hold);
            try {
                Optional<Taken> result = round.run();
                if (result.isPresent()) {
                    return result.get();
                }
                rounds++;
            } catch (NoAnswerException e) {
                ProcessContext.pauseAfter(e, backoff);
            }
        }
        log.info(
                "request {}: after {} scans, programs without locks still create documents below {}; continuing without more scans",
                rename.requestId(),
                rounds,
                rename.source());
        return new Taken.All();
    }

    /** One scan, and the acquisition of the locks on the paths that the scan finds. */
    private final class Round {
        private final OwnEntry own;
        private final Hold hold;
        private long requested;
        private boolean changed;

        /** The paths of the next request. */
        private SortedSet<TreePath> paths = new TreeSet<>();

        private int characters;

        Round(OwnEntry own, Hold hold) {
            this.own = own;
            this.hold = hold;
        }

        /**
         * Makes one scan and acquires the locks. Returns the result of the whole acquisition; empty if another scan is
         * necessary.
         */
        Optional<Taken> run() {
            context.beforeWriting("the reading of " + rename.source() + " for request " + rename.requestId());
            Scan scan;
            try {
                scan = tree.scan(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
            } catch (RefusedException e) {
                return Optional.of(new Taken.Unreadable(String.valueOf(e.getMessage())));
            }
            try (scan) {
                return lockAll(scan);
            }
        }

        private Optional<Taken> lockAll(Scan scan) {
            while (true) {
                List<Document> page;
                try {
                    page = scan.nextPage();
                } catch (RefusedException e) {
                    return Optional.of(new Taken.Unreadable(String.valueOf(e.getMessage())));
                }
                Optional<Taken> result = page.isEmpty() ? acquireRest() : acquire(page);
                if (result.isPresent()) {
                    return result;
                }
                if (page.isEmpty()) {
                    return changed ? Optional.empty() : Optional.of(new Taken.All());
                }
            }
        }

        /**
         * Adds the paths of a page to the next request, and sends each full request. Returns empty if all sent requests
         * were granted.
         */
        private Optional<Taken> acquire(List<Document> page) {
            for (Document document : page) {
                String path = document.path();
                if (rename.namespace().notation().problem(path).isPresent()) {
                    continue;
                }
                paths.add(rename.namespace().notation().path(path));
                characters += path.length();
                if (paths.size() == AT_ONCE || characters > CHARACTERS_AT_ONCE) {
                    Optional<Taken> result = acquireRest();
                    if (result.isPresent()) {
                        return result;
                    }
                }
            }
            return Optional.empty();
        }

        /** Acquires the locks on the paths that were read but not requested yet. */
        private Optional<Taken> acquireRest() {
            if (paths.isEmpty()) {
                return Optional.empty();
            }
            LockSet locks = LockSet.documents(rename.namespace().name(), paths);
            paths = new TreeSet<>();
            characters = 0;
            return acquire(locks);
        }

        /** Acquires locks; returns empty if all these locks are held. */
        private Optional<Taken> acquire(LockSet locks) {
            String what = "the locks below " + rename.source() + " for request " + rename.requestId();
            Backoff backoff = context.backoffs().begin(what);
            while (true) {
                context.beforeWriting(what);
                if (context.stop().isRequested()) {
                    return Optional.of(new Taken.Stopped());
                }
                Request request = new Request(hold, locks);
                if (own.write(own.entry().withNoOp(), request::send) != OwnedResult.OURS) {
                    return Optional.of(new Taken.NotOurs());
                }
                changed |= request.mayHaveChanged();
                if (request.answer().taken()) {
                    logProgress(locks.modes().size());
                    return Optional.empty();
                }
                if (!request.answer().refused().isEmpty()) {
                    return Optional.of(new Taken.Refused(request.refused(), request.took()));
                }
                backoff.pause();
            }
        }

        private void logProgress(int more) {
            long before = requested / LOGGED_EVERY;
            requested += more;
            if (requested / LOGGED_EVERY > before) {
                log.info(
                        "request {}: {} documents below {} are locked", rename.requestId(), requested, rename.source());
            }
        }
    }

    /** One request that writes the entry and acquires locks. Each retry of the write sends the whole request again. */
    private final class Request {
        private final Hold hold;
        private final LockSet locks;
        private int tries;
        private @Nullable Prepared answer;
        private Duration took = Duration.ZERO;

        Request(Hold hold, LockSet locks) {
            this.hold = hold;
            this.locks = locks;
        }

        WriteResult send(JournalEntry entry, Version seen) {
            tries++;
            long sentNanos = context.time().nanos();
            Prepared answered = journal.prepare(new Attempt(JournalStep.FURTHER_LOCKS, entry, seen, null, hold, locks));
            took = Duration.ofNanos(context.time().nanos() - sentNanos);
            answer = answered;
            return answered.entry();
        }

        /**
         * Returns whether the request may have changed a lock table. After several tries, the results of the earlier
         * tries are not known.
         */
        boolean mayHaveChanged() {
            return tries > 1 || answer().changed();
        }

        Prepared answer() {
            return Objects.requireNonNull(answer);
        }

        /**
         * Returns the locks that belong to the tables that refused. Other tables may have granted their locks of the
         * same request.
         */
        SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> refused() {
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> refused = new TreeMap<>(locks.parts());
            refused.keySet().retainAll(answer().refused());
            return refused;
        }

        Duration took() {
            return took;
        }
    }
}
