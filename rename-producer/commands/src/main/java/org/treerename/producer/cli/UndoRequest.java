package org.treerename.producer.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.treerename.journal.Decision;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Parking;
import org.treerename.overview.OverviewJson;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;
import org.treerename.request.RequestIds;
import org.treerename.request.Status;
import org.treerename.store.Sha256;

/**
 * The plan to undo a rename. The undo is a second rename, from the destination of the first rename to its source. The
 * undo begins after the first rename has ended. The undo also moves documents that other programs have created below
 * the destination after the first rename. The undo is rejected if the source of the first rename exists again. The undo
 * is also rejected if the moved document is no longer at the destination. A directory without a document of its own
 * cannot be distinguished from another directory at the same path.
 */
public sealed interface UndoRequest {

    /** The largest number of ids to try. The journal is read once for each of them. */
    int MOST_IDS = 100;

    /**
     * The request that undoes the rename. This request must begin after the rename has ended. The id of this request is
     * computed from the id of the rename, so a second undo sends the same request. If an earlier undo ended without an
     * effect, or if another request has this id, the new request has another id.
     */
    record Possible(RenameRequest request) implements UndoRequest {}

    /** The rename cannot be undone. */
    record NotReversible(Why why, String message) implements UndoRequest {}

    /** The reason why a rename cannot be undone. */
    enum Why {
        /** The entry belongs to a writer. */
        NO_RENAME,
        /** The rename is not decided yet, and can be cancelled. */
        NOT_DECIDED,
        /** The rename ended without an effect. */
        NOT_COMPLETED,
        /** The rename is parked. It has not ended, so its undo could not begin. */
        PARKED,
        /** The rename was abandoned. A part of its documents may be at the source. */
        ABANDONED,
        /** The rename replaced a document. The replaced document does not exist any more. */
        REPLACED,
        /** Undos without an effect, or other requests, have all ids that the undo may have. */
        NO_FREE_ID;

        /** Returns the name that programs read, in lower case. */
        public String published() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Plans the undo of a rename.
     *
     * @param entry the entry of the rename; if the rename is decided, an acknowledged write must have confirmed this
     *     entry
     * @param journal returns the journal entry for the request id of an undo; empty if there is no entry
     */
    static UndoRequest of(JournalEntry entry, Function<String, Optional<JournalEntry>> journal) {
        RenameRequest request = entry.request();
        if (entry.writeTarget() != null) {
            return new NotReversible(Why.NO_RENAME, entry.requestId() + " is the hold of a writer, not a rename");
        }
        if (!entry.state().isFinal() && entry.decided().isEmpty()) {
            return new NotReversible(Why.NOT_DECIDED, "the rename is not decided yet; it can be cancelled");
        }
        Parking parking = entry.parking();
        if (parking != null) {
            return new NotReversible(Why.PARKED, RenameProgress.parkedInWords(entry.requestId(), parking.toString()));
        }
        if (OverviewJson.status(entry)
                .filter(Status.ABANDONED.published()::equals)
                .isPresent()) {
            return new NotReversible(
                    Why.ABANDONED,
                    "the rename was abandoned, so a part of its documents may not be at the destination");
        }
        Optional<Decision> decision = entry.decided();
        if (request == null || decision.isEmpty()) {
            return new NotReversible(Why.NOT_COMPLETED, "the rename ended without an effect");
        }
        if (!decision.get().removals().isEmpty()) {
            return new NotReversible(
                    Why.REPLACED,
                    "the rename replaced a document at " + request.destination()
                            + "; the replaced document cannot be restored");
        }
        return withFreeId(entry.requestId(), request, decision.get(), journal);
    }

    private static UndoRequest withFreeId(
            String requestId,
            RenameRequest request,
            Decision decision,
            Function<String, Optional<JournalEntry>> journal) {
        String from = request.destination();
        String to = request.source();
        for (int number = 1; number <= MOST_IDS; number++) {
            RenameRequest undo = new RenameRequest(
                            requestId(requestId, number),
                            request.namespace(),
                            from,
                            to,
                            OnExisting.FAIL,
                            "undo of " + requestId)
                    .withSourceId(decision.ownId());
            if (journal.apply(undo.requestId())
                    .filter(found -> hasOtherUse(found, undo))
                    .isEmpty()) {
                return new Possible(undo);
            }
        }
        return new NotReversible(
                Why.NO_FREE_ID,
                MOST_IDS + " requests already have the ids of an undo of this rename; send the rename from " + from
                        + " to " + to + " yourself, after " + requestId);
    }

    /**
     * Returns whether the undo needs another id: another request has the id, or an earlier undo ended without a decision.
     * The version and the requester are not compared, because each undo may have others.
     */
    private static boolean hasOtherUse(JournalEntry found, RenameRequest undo) {
        if (found.isPlaceholder()) {
            return false;
        }
        RenameRequest request = found.request();
        if (request == null) {
            return true;
        }
        Long version = request.version();
        RenameRequest same = undo.requestedBy(request.requestedBy());
        boolean isOwn = request.in(null).equals(version == null ? same : same.withVersion(version));
        return !isOwn || (found.state().isFinal() && found.decided().isEmpty());
    }

    /**
     * Returns the request id of an undo, for example {@code undo-r1} for the rename {@code r1}. The second undo has the
     * id {@code undo-r1~2}. If the id is too long, the SHA-256 of the text after {@code undo-} replaces this text, in
     * hexadecimal digits.
     */
    static String requestId(String requestId, int number) {
        String numbered = number == 1 ? requestId : requestId + "~" + number;
        String whole = "undo-" + numbered;
        return RequestIds.problem(whole).isEmpty()
                ? whole
                : "undo-" + Sha256.hex(numbered.getBytes(StandardCharsets.UTF_8));
    }
}
