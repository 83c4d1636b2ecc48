package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.treerename.rename.DecidedRename.Stop;
import org.treerename.rename.TreeStore.Reach;
import org.treerename.rename.TreeStore.Scan;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Moves the documents of one decided rename. One thread calls it, once.
 *
 * <ol>
 *   <li>remove the documents that the rename replaces, in the versions that the commit recorded: if we die here, the process that rolls
 *       forward removes them again, and finds them gone;
 *   <li>move the source's own documents, so that the destination exists: if we die here, the source has children but
 *       perhaps no document of its own;
 *   <li>passes ({@link MovePass}): open a scan, write the entry conditionally, compare the indices with those of the commit, write the
 *       documents that the scan shows with the sequence numbers read: if we die here, part of the tree is at the destination, and the
 *       locks exclude every other rename. The scan of the first pass is opened before the commit, which is its conditional write.
 * </ol>
 *
 * The conditional write of the entry between the opening of a scan and the writing of all its documents makes a late write
 * harmless: at that moment this process owned the rename, and a document that another owner has moved since has another number.
 *
 * <p>If another system gives the versions, a move writes the version of the request, and no sequence number. A late write then
 * meets a document that has already moved in this version. With {@code external} it is refused. With {@code external_gte} it is
 * accepted, and overwrites what was written in the same version since, for example by a later rename. So one version must be used
 * for one rename only. If documents have a version of their own, which a rename does not change, a late write of a dead process can
 * undo the move of a later rename. A write in a lower version between the read and the move is lost, so every older write must
 * precede the request. A late write also creates a deleted document again, if it was deleted in a lower version, or longer ago
 * than Elasticsearch remembers deletions ({@code index.gc_deletes}, a minute).
 *
 * <p>A document that is read in a version too new for the request stays where it is and is counted. An answer alone, that
 * there was a conflict, does not show it: the document may have moved with a write whose answer was lost.
 */
final class Mover {

    /** How the moving ended. */
    sealed interface Moved {

        All NOTHING = new All(0, 0, false, 0);

        /**
         * Enough complete passes found nothing more; or, with {@code mayHaveLeft}, there were as many as there may be. What is
         * {@code newer} than the request stays.
         */
        record All(long documents, int passes, boolean mayHaveLeft, long newer) implements Moved {}

        /** A document cannot be moved; the entry says which. */
        record Parked() implements Moved {}

        /** Another process carries the rename now. */
        record Lost() implements Moved {}
    }

    /** After this many passes, or removals, in a row that were refused and moved nothing, the rename is parked. */
    static final int MOST_FRUITLESS = 50;

    private final TreeStore tree;
    private final ProcessContext context;
    private final Rename rename;
    private final DecidedRename decided;
    private final Replacement replacement;

    /** Whether a late move may still arrive: one of an earlier owner, or one of this process that was not acknowledged. */
    private boolean uncertain;

    Mover(TreeStore tree, ProcessContext context, Rename rename, OwnEntry own) {
        this.tree = tree;
        this.context = context;
        this.rename = rename;
        this.decided = new DecidedRename(tree, context, rename, own);
        this.replacement = new Replacement(tree, context, decided);
        this.uncertain = own.isContinued();
    }

    /** Moves everything. */
    Moved move(ReadBeforeCommit read) {
        if (rename.changesNothing()) {
            return Moved.NOTHING;
        }
        Optional<Stop> elsewhere = decided.isRolledForward() ? decided.compare() : Optional.empty();
        Optional<Stop> stop = elsewhere.isPresent() ? elsewhere : replacement.remove();
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

    /** Moves the source's own document, if there is one, as the check has read it. */
    private MovePass own(List<Document> own) {
        MovePass pass = new MovePass(tree, context, decided);
        own.forEach(pass::moveFirst);
        return pass;
    }

    /**
     * Runs passes until enough of them find nothing. If a late move may still arrive, one such pass proves nothing: its node may
     * have been cut off after the refresh, and show a move that is never acknowledged. The refresh of the next pass reaches every
     * copy, so it shows that the node was not cut off. A scan that was opened before the commit proves nothing, even if it finds nothing.
     *
     * @param opened the scan of the first pass, if it was opened before the commit
     * @param begun the first pass as far as it has come: the source's own documents
     */
    private Moved passes(Optional<Scan> opened, MovePass begun) {
        Optional<Scan> before = opened;
        int empty = 0;
        int unrefused = 0;
        int fruitless = 0;
        Backoff backoff = context.backoffs().begin("a pass of " + rename.requestId());
        while (true) {
            decided.passBegins();
            long movedBefore = decided.moved();
            boolean isProof = before.isEmpty();
            MovePass pass = isProof ? pass(Reach.AT_OR_BELOW) : sinceCommit(begun, before.get());
            before = Optional.empty();
            uncertain |= pass.isRefused();
            if (pass.stop().isPresent()) {
                return decided.stop(pass.stop().get());
            }
            NoAnswerException silence = pass.silence();
            if (silence != null) {
                // an outage is none of the passes after which enough is moved
                decided.passDoesNotCount();
                empty = 0;
                unrefused = 0;
                ProcessContext.pauseAfter(silence, backoff);
                continue;
            }
            empty = isProof && pass.found() == 0 ? empty + 1 : 0;
            unrefused = pass.isRefused() ? 0 : unrefused + (isProof ? 1 : 0);
            int needed = uncertain ? 2 : 1;
            if (empty >= needed) {
                return nothingLeft(pass, false);
            }
            if (decided.passes() >= context.maxPasses() && unrefused >= needed) {
                return nothingLeft(pass, true);
            }
            fruitless = pass.isRefused() && decided.moved() == movedBefore ? fruitless + 1 : 0;
            if (fruitless == MOST_FRUITLESS) {
                return decided.stop(new Stop.Park(
                        MOST_FRUITLESS + " passes in a row were refused and moved nothing", pass.refused()));
            }
            if (pass.isRefused()) {
                backoff.pause();
            }
        }
    }

    /** An index that was taken away shows nothing either. */
    private Moved nothingLeft(MovePass last, boolean mayHaveLeft) {
        return decided.compare()
                .map(decided::stop)
                .orElseGet(() -> new Moved.All(
                        decided.moved(), decided.passes(), mayHaveLeft, last.newer() + replacement.unreplaced()));
    }

    /** The moves of what was read before the commit. A scan that cannot be read to its end is replaced by that of the next pass. */
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

    /** One complete strict reading, and the moves of what it found. A reading that fails is begun again. */
    private MovePass pass(Reach reach) {
        String what = "the reading of " + rename.source() + " for " + rename.requestId();
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
