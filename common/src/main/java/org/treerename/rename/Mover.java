package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.JournalEntry.Parking;
import org.treerename.rename.OwnEntry.Standing;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Reach;
import org.treerename.rename.TreeStore.Scan;
import org.treerename.rename.TreeStore.Written;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Moves the documents of one decided rename. One thread calls it, once.
 *
 * <ol>
 *   <li>remove what the destination replaces, in the versions that the commit recorded: if we die here, whoever rolls
 *       forward does it again, and finds them gone;
 *   <li>move the source's own documents, so that the destination is taken: if we die here, the source has children but
 *       perhaps no document of its own;
 *   <li>passes: read a page, see that the tree lies where it was decided, write the entry conditionally, write the page's
 *       documents with the sequence numbers read: if we die here, part of the tree stands at the destination, and the
 *       locks keep everybody else out.
 * </ol>
 *
 * The conditional write of the entry between the reading of a page and the writing of its documents makes a late write
 * harmless: at that moment the rename was still ours, and what another owner has moved since carries another number.
 *
 * <p>Where another system gives the versions, what is written carries the version of the request, and no sequence number. A
 * late write then meets a document that has moved in this version already. By {@code external} it is refused. By {@code
 * external_gte} it is accepted, and does harm where somebody has written in the same version since, be it a later rename: so
 * a version is for one rename, and where documents say their own, which a rename leaves as it is, nothing keeps the late
 * write of a dead process from putting back what a later rename has moved. A write in a lower version that comes between the
 * reading and the move is lost: all that is older is to be there before the rename is asked for. And what was deleted is
 * made again by a late write, if it was deleted in a lower version, or longer ago than Elasticsearch remembers deletions
 * ({@code index.gc_deletes}, a minute).
 *
 * <p>A document that is read in a version too new for the request stays where it is and is counted. An answer alone, that
 * there was a conflict, does not show it: the document may have moved with a write whose answer was lost.
 */
final class Mover {

    /** How the moving ended. */
    sealed interface Moved {

        All NOTHING = new All(0, false, 0);

        /**
         * Enough complete passes found nothing more; or, with {@code mayHaveLeft}, there were as many as there may be. What is
         * {@code newer} than the request stays.
         */
        record All(long documents, boolean mayHaveLeft, long newer) implements Moved {}

        /** A document cannot be moved; the entry says which. */
        record Parked() implements Moved {}

        /** Another process carries the rename now. */
        record Lost() implements Moved {}
    }

    private static final Logger log = LoggerFactory.getLogger(Mover.class);
    private static final int IDS_SHOWN = 10;

    /** After this many passes, or removals, in a row that were refused and moved nothing, the rename is parked. */
    static final int MOST_FRUITLESS = 50;

    private final TreeStore tree;
    private final Carrier carrier;
    private final Rename rename;
    private final OwnEntry own;
    private long moved;
    private int passes;

    /** Documents at the destination that are too new to be replaced. */
    private int unreplaced;

    /** The first documents of the present pass whose writes were not acknowledged, and why. */
    private final List<String> refused = new ArrayList<>();

    /** Whether a move may yet arrive: somebody's before us, or one of ours that was not acknowledged. */
    private boolean uncertain;

    Mover(TreeStore tree, Carrier carrier, Rename rename, OwnEntry own) {
        this.tree = tree;
        this.carrier = carrier;
        this.rename = rename;
        this.own = own;
        this.moved = own.entry().progress().moved();
        this.uncertain = own.isContinued();
    }

    /**
     * Moves everything.
     *
     * @param seen the source's own documents, as a read before the commit saw them; read again unless it is just one
     */
    Moved move(List<Document> seen) {
        if (rename.changesNothing()) {
            return Moved.NOTHING;
        }
        if (own.entry().isRolledForward()) {
            Optional<String> elsewhere = whyElsewhere();
            if (elsewhere.isPresent()) {
                return ended(park(elsewhere.get(), List.of()));
            }
        }
        Step removed = removeReplaced();
        if (removed != Step.GO_ON) {
            return ended(removed);
        }
        Step began = seen.size() == 1 ? write(seen).step() : pass(Reach.AT).step();
        return began == Step.GO_ON ? passes() : ended(began);
    }

    /** Why the tree lies no more where it was decided, if so: an index made again under its name counts its versions anew. */
    private Optional<String> whyElsewhere() {
        Map<String, String> now;
        try {
            now = carrier.persist("the indices of " + rename.requestId(), () -> tree.indices(rename.namespace()));
        } catch (RefusedException e) {
            return Optional.of("its indices cannot be told any more: " + e.getMessage());
        }
        List<String> gone = decision().indices().entrySet().stream()
                .filter(decided -> !decided.getValue().equals(now.get(decided.getKey())))
                .map(decided -> decided.getKey() + " with uuid " + decided.getValue())
                .sorted()
                .limit(IDS_SHOWN)
                .toList();
        return gone.isEmpty()
                ? Optional.empty()
                : Optional.of("its indices are not those of the commit any more: "
                        + rename.namespace().index() + " has no more " + String.join(", ", gone));
    }

    private enum Step {
        GO_ON,
        PARKED,
        LOST
    }

    /**
     * What one pass, or one page of it, found and met.
     *
     * @param found documents to move
     * @param newer documents that are newer than the request and stay
     * @param silence why it broke off: a write got no answer, and the next ones would get none
     */
    private record Pass(
            Step step,
            long found,
            long newer,
            boolean refused,
            @Nullable NoAnswerException silence) {

        static final Pass BEGUN = new Pass(Step.GO_ON, 0, 0, false, null);

        static Pass ended(Step step) {
            return new Pass(step, 0, 0, false, null);
        }

        Pass and(Pass page) {
            return new Pass(page.step, found + page.found, newer + page.newer, refused || page.refused, page.silence);
        }
    }

    /**
     * Where a move may yet arrive, one reading shows nothing by itself: if its node was cut off after the refresh, the move
     * may have reached that node, which will never acknowledge it. The refresh of the next pass, which reaches every copy,
     * shows that it was not.
     */
    private Moved passes() {
        int empty = 0;
        int unrefused = 0;
        int fruitless = 0;
        Backoff backoff = carrier.backoffs().begin("a pass of " + rename.requestId());
        while (true) {
            passes++;
            long movedBefore = moved;
            refused.clear();
            Pass pass = pass(Reach.AT_OR_BELOW);
            if (pass.step() != Step.GO_ON) {
                return ended(pass.step());
            }
            if (pass.silence() != null) {
                // an outage is none of the passes after which enough is moved
                passes--;
                empty = 0;
                unrefused = 0;
                Carrier.pauseAfter(pass.silence(), backoff);
                continue;
            }
            empty = pass.found() == 0 ? empty + 1 : 0;
            unrefused = pass.refused() ? 0 : unrefused + 1;
            int needed = uncertain ? 2 : 1;
            if (empty >= needed) {
                return nothingLeft(pass, false);
            }
            if (passes >= carrier.maxPasses() && unrefused >= needed) {
                return nothingLeft(pass, true);
            }
            fruitless = pass.refused() && moved == movedBefore ? fruitless + 1 : 0;
            if (fruitless == MOST_FRUITLESS) {
                return ended(park(MOST_FRUITLESS + " passes in a row were refused and moved nothing", refused));
            }
            if (pass.refused()) {
                backoff.pause();
            }
        }
    }

    /** An index that was taken away shows nothing either. */
    private Moved nothingLeft(Pass last, boolean mayHaveLeft) {
        return whyElsewhere()
                .map(why -> ended(park(why, List.of())))
                .orElseGet(() -> new Moved.All(moved, mayHaveLeft, last.newer() + unreplaced));
    }

    private static Moved ended(Step step) {
        return step == Step.PARKED ? new Moved.Parked() : new Moved.Lost();
    }

    /** One complete strict reading, and the writes of what it found. A reading that fails is begun again. */
    private Pass pass(Reach reach) {
        Backoff backoff = carrier.backoffs().begin("the reading of " + rename.source() + " for " + rename.requestId());
        while (true) {
            carrier.beforeWriting("the reading of " + rename.source() + " for " + rename.requestId());
            try (Scan scan = tree.scan(rename.namespace(), rename.source(), reach)) {
                return pass(scan);
            } catch (NoAnswerException e) {
                Carrier.pauseAfter(e, backoff);
            } catch (RefusedException e) {
                return Pass.ended(park("the tree cannot be read: " + e.getMessage(), List.of()));
            }
        }
    }

    private Pass pass(Scan scan) {
        Pass pass = Pass.BEGUN;
        for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
            Step confirmed = confirm();
            if (confirmed != Step.GO_ON) {
                return Pass.ended(confirmed);
            }
            pass = pass.and(write(page));
            if (pass.step() != Step.GO_ON || pass.silence() != null) {
                return pass;
            }
        }
        return pass;
    }

    /** Compares the indices with those of the commit and writes the entry. Documents that were read before may be written after it. */
    private Step confirm() {
        Optional<String> elsewhere = whyElsewhere();
        if (elsewhere.isPresent()) {
            return park(elsewhere.get(), List.of());
        }
        return own.write(own.entry().progressed(moved, passes)) == Standing.OURS ? Step.GO_ON : Step.LOST;
    }

    /** Writes documents whose reading precedes the last acknowledged write of the entry. */
    private Pass write(List<Document> documents) {
        List<Move> moves = new ArrayList<>(documents.size());
        List<String> immovable = new ArrayList<>();
        int newer = 0;
        for (Document document : documents) {
            Optional<Condition> condition = rename.condition(document);
            if (condition.isEmpty()) {
                immovable.add(document.ref().id() + ": its field "
                        + rename.namespace().rules().versionField() + " holds no version");
            } else if (condition.get().isOlderThan(document.ref())) {
                newer++;
            } else if (!decision().indices().containsKey(document.ref().index())) {
                immovable.add(
                        document.ref().id() + ": its index " + document.ref().index() + " was not there at the commit");
            } else if (!rename.keepsLimits(document.path())) {
                immovable.add(document.ref().id() + ": its new path would break a limit");
            } else {
                moves.add(rename.move(document, condition.get()));
            }
        }
        boolean isRefused = false;
        NoAnswerException silence = null;
        try {
            carrier.beforeWriting("the move of " + rename.source() + " for " + rename.requestId());
            List<Written> answers = moves.isEmpty() ? List.of() : tree.move(rename.namespace(), moves);
            for (int i = 0; i < answers.size(); i++) {
                switch (answers.get(i)) {
                    case Written.Done done -> moved++;
                    case Written.Unknown unknown -> {
                        isRefused = true;
                        if (refused.size() < IDS_SHOWN) {
                            refused.add(moves.get(i).document().ref().id() + ": " + unknown.why());
                        }
                    }
                    case Written.Refused no ->
                        immovable.add(moves.get(i).document().ref().id() + ": " + no.why());
                }
            }
        } catch (NoAnswerException e) {
            isRefused = true;
            silence = e;
        }
        uncertain |= isRefused;
        Step step = immovable.isEmpty() ? Step.GO_ON : park(immovable);
        return new Pass(step, documents.size() - newer, newer, isRefused, silence);
    }

    private Step park(List<String> immovable) {
        return park(immovable.size() + " documents cannot be moved", immovable);
    }

    private Step park(String reason, List<String> documents) {
        List<String> first = documents.stream().limit(IDS_SHOWN).toList();
        log.error("request {} is parked with its locks kept: {}: {}", rename.requestId(), reason, first);
        Standing standing = own.write(own.entry().progressed(moved, passes));
        if (standing == Standing.OURS) {
            standing = own.write(own.entry().parked(new Parking(reason, first)));
        }
        return standing == Standing.OURS ? Step.PARKED : Step.LOST;
    }

    /**
     * Deletes the documents that the destination replaces. A refused delete has two possible causes: the document is gone already, or a
     * client without locks has edited it. So a search looks for the document, the indices are compared, the entry is written, and the
     * document is deleted in the version found, unless that version is too new for the request.
     */
    private Step removeReplaced() {
        List<Document.Ref> left = decision().removals();
        int fruitless = 0;
        Backoff backoff = carrier.backoffs().begin("the removal of what stands at " + rename.destination());
        while (!left.isEmpty()) {
            carrier.beforeWriting("the removal of what stands at " + rename.destination());
            try {
                List<Written> answers =
                        tree.remove(left.stream().map(rename::removal).toList());
                List<String> refused = answers.stream()
                        .filter(Written.Refused.class::isInstance)
                        .map(Written::toString)
                        .toList();
                if (!refused.isEmpty()) {
                    return park(refused);
                }
                List<Document.Ref> before = left;
                left = withoutNewer(stillThere(left, answers));
                Step confirmed = left.isEmpty() ? Step.GO_ON : confirm();
                if (confirmed != Step.GO_ON) {
                    return confirmed;
                }
                fruitless = left.size() == before.size() ? fruitless + 1 : 0;
                if (fruitless == MOST_FRUITLESS) {
                    return park(
                            MOST_FRUITLESS + " removals in a row were refused",
                            left.stream().map(Document.Ref::id).toList());
                }
                if (fruitless > 1) {
                    backoff.pause();
                }
            } catch (NoAnswerException e) {
                Carrier.pauseAfter(e, backoff);
            } catch (RefusedException e) {
                return park("what it replaces cannot be removed: " + e.getMessage(), List.of());
            }
        }
        return Step.GO_ON;
    }

    private List<Document.Ref> withoutNewer(List<Document.Ref> refs) {
        List<Document.Ref> removable = refs.stream()
                .filter(ref -> !rename.removal(ref).condition().isOlderThan(ref))
                .toList();
        unreplaced += refs.size() - removable.size();
        return removable;
    }

    private List<Document.Ref> stillThere(List<Document.Ref> refs, List<Written> answers) {
        List<Document.Ref> unknown = new ArrayList<>();
        for (int i = 0; i < refs.size(); i++) {
            if (answers.get(i) instanceof Written.Unknown) {
                unknown.add(refs.get(i));
            }
        }
        List<Document.Ref> left = found(unknown);
        left.forEach(there -> unknown.removeIf(ref -> isSame(ref, there)));
        left.addAll(found(unknown));
        return left;
    }

    /**
     * By a strict search: a read of one document may show a deletion that nobody has acknowledged. So may a search whose node
     * was cut off after the refresh, but not the next one, too.
     */
    private List<Document.Ref> found(List<Document.Ref> refs) {
        List<Document.Ref> found = new ArrayList<>();
        if (refs.isEmpty()) {
            return found;
        }
        try (Scan scan = tree.scan(rename.namespace(), rename.destination(), Reach.AT)) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                page.stream()
                        .map(Document::ref)
                        .filter(ref -> refs.stream().anyMatch(wanted -> isSame(wanted, ref)))
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static boolean isSame(Document.Ref one, Document.Ref other) {
        return one.index().equals(other.index()) && one.id().equals(other.id());
    }

    private Decision decision() {
        return own.entry()
                .decided()
                .orElseThrow(() -> new IllegalStateException("request " + rename.requestId() + " is not decided"));
    }
}
