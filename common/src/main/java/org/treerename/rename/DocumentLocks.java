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
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.rename.Journal.Attempt;
import org.treerename.rename.Journal.Prepared;
import org.treerename.rename.OwnEntry.Standing;
import org.treerename.rename.TreeStore.Reach;
import org.treerename.rename.TreeStore.Scan;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/**
 * Exclusive locks on the path of every document below the source of one rename, taken while its lock set is held. One thread
 * calls it. Its memory does not grow with the subtree: only the lock tables of the documents have the locks that it holds, and every scan
 * asks for each of them.
 *
 * <ol>
 *   <li>a strict scan of what stands below the source, the refresh of which begins under the lock set;
 *   <li>of what it finds one request after the other, each with as many locks as it may have, from several pages if these are small. Each
 *       request writes the entry conditionally before it takes locks under the same hold: if we die here, the entry names the hold by which
 *       they are found and given back;
 *   <li>again from the first, until a whole scan has taken nothing that was not held before, or there were as many as a move
 *       has passes at most: then others who take no locks go on creating documents there.
 * </ol>
 *
 * The last scan begins with a refresh after all locks were taken, and so shows what the one before it may have missed: what
 * somebody put there who takes no locks, or what was read at a node that is cut off. What a document says where it stands need
 * not be a path; such a text nobody can ask for, and it takes no lock.
 */
final class DocumentLocks implements FurtherLocks {

    /** In one request, at most. */
    private static final int AT_ONCE = 1_000;

    /** Of the paths of one request, about at most. */
    private static final int CHARACTERS_AT_ONCE = 1_000_000;

    /** The progress is logged once for so many locks. */
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

    /** What moves nothing, or can only be rejected, needs none. */
    @Override
    public Taken take(OwnEntry own, Hold hold) {
        if (rename.destination().isAtOrBelow(rename.source())) {
            return new Taken.All();
        }
        Backoff backoff = context.backoffs().begin("the reading of " + rename.source() + " for " + rename.requestId());
        int rounds = 0;
        while (rounds < context.maxPasses()) {
            Round round = new Round(own, hold);
            try {
                Optional<Taken> ended = round.ended();
                if (ended.isPresent()) {
                    return ended.get();
                }
                rounds++;
            } catch (NoAnswerException e) {
                ProcessContext.pauseAfter(e, backoff);
            }
        }
        log.info("request {}: documents go on appearing below {} without locks", rename.requestId(), rename.source());
        return new Taken.All();
    }

    /** One scan, and the locks on what it finds. */
    private final class Round {
        private final OwnEntry own;
        private final Hold hold;
        private long asked;
        private boolean changed;

        /** The paths of the next request. */
        private SortedSet<TreePath> paths = new TreeSet<>();

        private int characters;

        Round(OwnEntry own, Hold hold) {
            this.own = own;
            this.hold = hold;
        }

        /** How the taking of all locks ended; empty where another round is needed. */
        Optional<Taken> ended() {
            context.beforeWriting("the reading of " + rename.source() + " for " + rename.requestId());
            Scan scan;
            try {
                scan = tree.scan(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
            } catch (RefusedException e) {
                return Optional.of(new Taken.Unreadable(String.valueOf(e.getMessage())));
            }
            try (scan) {
                return ended(scan);
            }
        }

        private Optional<Taken> ended(Scan scan) {
            while (true) {
                List<Document> page;
                try {
                    page = scan.nextPage();
                } catch (RefusedException e) {
                    return Optional.of(new Taken.Unreadable(String.valueOf(e.getMessage())));
                }
                Optional<Taken> ended = page.isEmpty() ? takeRest() : take(page);
                if (ended.isPresent()) {
                    return ended;
                }
                if (page.isEmpty()) {
                    return changed ? Optional.empty() : Optional.of(new Taken.All());
                }
            }
        }

        /** Empty if all full requests were granted. */
        private Optional<Taken> take(List<Document> page) {
            for (Document document : page) {
                String at = document.path();
                if (rename.namespace().notation().problem(at).isPresent()) {
                    continue;
                }
                paths.add(rename.namespace().notation().path(at));
                characters += at.length();
                if (paths.size() == AT_ONCE || characters > CHARACTERS_AT_ONCE) {
                    Optional<Taken> ended = takeRest();
                    if (ended.isPresent()) {
                        return ended;
                    }
                }
            }
            return Optional.empty();
        }

        /** Takes what was read and not taken yet. */
        private Optional<Taken> takeRest() {
            if (paths.isEmpty()) {
                return Optional.empty();
            }
            LockSet locks = LockSet.documents(rename.namespace().name(), paths);
            paths = new TreeSet<>();
            characters = 0;
            return take(locks);
        }

        /** Empty where all of them are held. */
        private Optional<Taken> take(LockSet locks) {
            String what = "the locks below " + rename.source() + " for " + rename.requestId();
            Backoff backoff = context.backoffs().begin(what);
            while (true) {
                context.beforeWriting(what);
                if (context.stop().isRequested()) {
                    return Optional.of(new Taken.Stopped());
                }
                Request request = new Request(hold, locks);
                if (own.write(own.entry().touched(), request::send) != Standing.OURS) {
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
            long before = asked / LOGGED_EVERY;
            asked += more;
            if (asked / LOGGED_EVERY > before) {
                log.info("request {}: {} documents below {} are locked", rename.requestId(), asked, rename.source());
            }
        }
    }

    /** The entry's write and the locks that go with it, as often as the write is tried. */
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
            long askedNanos = context.time().nanos();
            Prepared answered = journal.prepare(new Attempt(entry, seen, null, hold, locks));
            took = Duration.ofNanos(context.time().nanos() - askedNanos);
            answer = answered;
            return answered.entry();
        }

        /** Of an earlier try it is not known. */
        boolean mayHaveChanged() {
            return tries > 1 || answer().changed();
        }

        Prepared answer() {
            return Objects.requireNonNull(answer);
        }

        /** Returns the locks of the tables that refused. A batch has many tables, and the request waits for few of them. */
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
