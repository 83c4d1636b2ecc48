package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.treerename.journal.OwnEntry;
import org.treerename.process.ProcessContext;
import org.treerename.rename.DecidedRename.Stop;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

/**
 * Moves the documents of one decided rename. One thread uses each instance, for one rename.
 *
 * <ol>
 *   <li>Delete the documents that the rename replaces ({@link Replacement}), and record in the entry that these
 *       documents are deleted. If the process dies here, the process that rolls the rename forward deletes the rest.
 *   <li>Move the documents at the source itself, so that the destination exists. If the process dies here, the source
 *       has children but perhaps no document of its own.
 *   <li>Run passes ({@link MovePass}): open a scan, write the entry conditionally, and compare the indices with the
 *       indices of the commit. Then write the documents of the scan, each on the condition that its sequence number is
 *       still the one that was read. If the process dies here, part of the tree is at the destination, and the locks
 *       exclude every conflicting rename. The scan of the first pass is opened before the commit, so the commit is the
 *       conditional write of this pass.
 * </ol>
 *
 * After a process opens a scan, it writes the entry conditionally, and only then moves the documents of the scan. The
 * acknowledged write of the entry proves that this process still owned the rename after the scan was opened. So a late
 * write of a document is harmless: if a later owner has moved the document, the document has another sequence number.
 *
 * <p>If another system assigns the versions, a move writes the version of the request, and uses no sequence number.
 * When a late write arrives, the document has already moved with this version. With the version type {@code external},
 * Elasticsearch refuses the late write. With {@code external_gte}, Elasticsearch accepts the late write. The late write
 * then overwrites every later change with the same version, for example the move of a later rename. So each version
 * must be used for only one rename. If documents contain their own versions, a rename does not change these versions.
 * In this case, a late write of a dead process can undo the move of a later rename. A program may write a document
 * between the read and the move. If this write has a lower version than the move, the write is lost. So programs must
 * complete all writes with lower versions before they send the request. If a document was deleted with a lower version,
 * a late write creates the document again. A late write also creates the document again if Elasticsearch no longer
 * remembers the deletion, by default after a minute ({@code index.gc_deletes}).
 *
 * <p>If the version of a document is too new for the request, the rename does not move this document, but counts it.
 * Only a read shows that the version is too new. A conflict alone proves nothing, because the document may have moved
 * by a write whose answer was lost.
 */
public final class Mover {

    /** The result of moving the documents: all are moved, the rename is parked, or another process owns the rename. */
    public sealed interface Moved {

        All NOTHING = new All(0, 0, false, 0, 0);

        /**
         * The last passes found no further document, or the mover stopped at the maximum number of passes.
         *
         * @param mayHaveLeft whether documents may be left at the source, because the mover stopped at the maximum
         *     number of passes
         * @param newer the number of documents that were not moved or not replaced, because they are newer than the
         *     request
         * @param joined the number of documents that were not moved, because their index joined the tree after the
         *     commit
         */
        record All(long documents, int passes, boolean mayHaveLeft, long newer, long joined) implements Moved {}

        /** The rename cannot continue now. The entry contains the reason. */
        record Parked() implements Moved {}

        /** Another process owns the rename now. */
        record Lost() implements Moved {}
    }

    /** After this number of consecutive passes, or of consecutive removals, without success the rename is parked. */
    static final int MOST_FRUITLESS = 50;

    private final TreeStore tree;
    private final ProcessContext context;
    private final Rename rename;
    private final DecidedRename decided;

    /**
     * Whether a late move may still arrive. An earlier owner may have sent such a move, or this process has sent a move
     * that was not acknowledged.
     */
    private boolean uncertain;

    /** The number of scans that got no answer and were begun again. */
    private int brokenScans;

    public Mover(TreeStore tree, ProcessContext context, Rename rename, OwnEntry own) {
        this.tree = tree;
        this.context = context;
        this.rename = rename;
        this.decided = new DecidedRename(tree, context, rename, own);
        this.uncertain = own.isContinued();
    }

    /**
     * Moves all documents. Blocks until the documents are moved, the rename is parked, or another process owns the
     * rename.
     */
    public Moved move(ReadBeforeCommit read) {
        if (rename.changesNothing()) {
            return Moved.NOTHING;
        }
        Optional<Stop> elsewhere = decided.isRolledForward() ? decided.compare() : Optional.empty();
        Optional<Stop> stop = elsewhere.isPresent() ? elsewhere : new Replacement(tree, context, decided).remove();
        if (stop.isPresent()) {
            return decided.stop(stop.get());
        }
        MovePass first = read.own().map(this::own).orElseGet(() -> pass(Reach.AT));
        uncertain |= first.isRefused();
        if (first.stop().isPresent()) {
            return decided.stop(first.stop().get());
        }
        if (first.silence() != null) {
            read.close();
            return passes(Optional.empty(), first);
        }
        return passes(read.first(), first);
    }

    /** Moves the document at the source itself, if there is one and it still has the version that the check read. */
    private MovePass own(List<Document> own) {
        MovePass pass = new MovePass(tree, context, decided);
        own.forEach(pass::moveFirst);
        return pass;
    }

    /**
     * Runs passes until enough passes find no document. If a late move may still arrive, one empty pass proves nothing.
     * The node that answered the scan may have been cut off after the refresh, and may show a move that is never
     * acknowledged. The refresh of the next pass reaches every shard copy, so a second empty pass proves that the node
     * was not cut off. An interrupted scan may have found a document. So the count of empty passes begins again after
     * such a scan. A scan that was opened before the commit proves nothing, even if it finds no document.
     *
     * @param opened the scan of the first pass, if it was opened before the commit
     * @param begun the first pass, which has already moved the documents at the source itself
     */
    private Moved passes(Optional<Scan> opened, MovePass begun) {
        Optional<Scan> before = opened;
        int empty = 0;
        int unrefused = 0;
        int fruitless = 0;
        Backoff backoff = context.backoffs().begin("a pass of request " + rename.requestId());
        while (true) {
            decided.passBegins();
            long movedBefore = decided.moved();
            int brokenBefore = brokenScans;
            boolean isProof = before.isEmpty();
            MovePass pass = isProof ? pass(Reach.AT_OR_BELOW) : sinceCommit(begun, before.get());
            before = Optional.empty();
            uncertain |= pass.isRefused();
            if (pass.stop().isPresent()) {
                return decided.stop(pass.stop().get());
            }
            NoAnswerException noAnswer = pass.silence();
            if (noAnswer != null) {
                decided.passDoesNotCount();
                empty = 0;
                unrefused = 0;
                ProcessContext.pauseAfter(noAnswer, backoff);
                continue;
            }
            if (brokenScans > brokenBefore) {
                empty = 0;
                unrefused = 0;
            }
            empty = isProof && pass.found() == 0 ? empty + 1 : 0;
            unrefused = pass.isRefused() ? 0 : unrefused + (isProof ? 1 : 0);
            int needed = uncertain ? 2 : 1;
            if (empty >= needed) {
                return nothingLeft(pass, false);
            }
            if (decided.passes() >= context.maxPasses() && unrefused >= needed) {
                Optional<Stop> unrefreshed = refresh();
                return unrefreshed.isPresent() ? decided.stop(unrefreshed.get()) : nothingLeft(pass, true);
            }
            fruitless = pass.isRefused() && decided.moved() == movedBefore ? fruitless + 1 : 0;
            if (fruitless == MOST_FRUITLESS) {
                return decided.stop(new Stop.Park(
                        "no move was acknowledged in " + MOST_FRUITLESS + " consecutive passes", pass.refused()));
            }
            Optional<Stop> stop = afterRefusals(pass, fruitless, backoff);
            if (stop.isPresent()) {
                return decided.stop(stop.get());
            }
        }
    }

    /** Pauses after a pass whose moves were refused. After several such passes, retries each document by itself. */
    private static Optional<Stop> afterRefusals(MovePass pass, int fruitless, Backoff backoff) {
        try {
            if (fruitless > 1) {
                pass.retryBusy();
            }
        } catch (NoAnswerException e) {
            pass.breakOff(e);
        } catch (RefusedException e) {
            pass.stopBecause(unreadable(e));
        }
        if (pass.isRefused() && pass.stop().isEmpty()) {
            backoff.pause();
        }
        return pass.stop();
    }

    /**
     * Refreshes the tree, so that searches show all moves before the entry is DONE. Views rely on this refresh. After a
     * pass that found no document, this refresh is not necessary, because the opening of the scan has refreshed the
     * tree.
     */
    private Optional<Stop> refresh() {
        Backoff backoff = context.backoffs().begin("the last refresh for request " + rename.requestId());
        while (true) {
            try (Scan scan = tree.scan(rename.namespace(), rename.source(), Reach.AT)) {
                return Optional.empty();
            } catch (NoAnswerException e) {
                ProcessContext.pauseAfter(e, backoff);
            } catch (RefusedException e) {
                return Optional.of(unreadable(e));
            }
        }
    }

    /**
     * Returns the final result. Compares the indices first, because a scan of a deleted index would find no documents.
     */
    private Moved nothingLeft(MovePass last, boolean mayHaveLeft) {
        return decided.compare()
                .map(decided::stop)
                .orElseGet(() -> new Moved.All(
                        moved(last, mayHaveLeft),
                        decided.passes(),
                        mayHaveLeft,
                        last.newer() + decided.unreplaced().orElse(0),
                        last.joined()));
    }

    /**
     * Returns the number of moved documents. If a move of an earlier owner or a lost answer may not be counted, and
     * nothing is left, returns at least the number of documents that the check has found.
     */
    private long moved(MovePass last, boolean mayHaveLeft) {
        return uncertain && !mayHaveLeft
                ? Math.max(decided.moved(), decided.expected() - last.newer() - last.joined())
                : decided.moved();
    }

    /**
     * Moves the documents of the scan that was opened before the commit. If a read of this scan gets no answer, the
     * next pass opens a new scan.
     */
    private MovePass sinceCommit(MovePass begun, Scan opened) {
        try (Scan scan = opened) {
            begun.moveSinceCommit(scan);
        } catch (NoAnswerException e) {
            begun.breakOff(e);
        } catch (RefusedException e) {
            begun.stopBecause(unreadable(e));
        }
        return begun;
    }

    /**
     * Runs one complete scan and moves the documents that the scan finds. A scan that gets no answer is begun again.
     */
    private MovePass pass(Reach reach) {
        String what = "the scan of " + rename.source() + " for request " + rename.requestId();
        Backoff backoff = context.backoffs().begin(what);
        while (true) {
            context.beforeWriting(what);
            MovePass pass = new MovePass(tree, context, decided);
            try (Scan scan = tree.scan(rename.namespace(), rename.source(), reach)) {
                pass.move(scan);
                return pass;
            } catch (NoAnswerException e) {
                uncertain |= pass.isRefused();
                if (pass.stop().isPresent()) {
                    return pass;
                }
                brokenScans++;
                ProcessContext.pauseAfter(e, backoff);
            } catch (RefusedException e) {
                pass.stopBecause(unreadable(e));
                return pass;
            }
        }
    }

    private static Stop unreadable(RefusedException e) {
        return new Stop.Park("the tree cannot be read: " + e.getMessage(), List.of());
    }
}
