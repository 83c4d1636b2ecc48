package org.treerename.rename;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.ParsedRequest.RenameRequest;

/**
 * How a rename is undone: by another one, from its destination to its source, that comes after it. What others have put below the
 * destination meanwhile moves with it. It is rejected like any other where the source is taken again, and where the document that
 * the rename has moved to the destination is there no more. A directory without a document of its own cannot be told from
 * another one at the same path.
 */
public sealed interface UndoRequest {

    /**
     * By this request, which is to come after the rename. Its id follows from the rename's: asked twice, it is done once. Where an
     * earlier undo has ended without an effect, it has another id.
     */
    record Possible(RenameRequest request) implements UndoRequest {}

    /** Not at all. */
    record NotReversible(Why why, String message) implements UndoRequest {}

    /** Why there is nothing to undo, or no way to. */
    enum Why {
        /** It is no rename. */
        NO_RENAME,
        /** Whether it takes effect is not decided yet: it can be cancelled. */
        NOT_DECIDED,
        /** It has ended without an effect. */
        NOT_COMPLETED,
        /** It has replaced a document, which is gone. */
        REPLACED;

        /** As it is told to programs: in lower case. */
        public String published() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * That of the rename of an entry.
     *
     * @param entry as an acknowledged write shows it, where it is decided
     * @param journal returns the entry of an earlier undo; empty if there is none
     */
    static UndoRequest of(JournalEntry entry, Function<String, Optional<JournalEntry>> journal) {
        RenameRequest request = entry.request();
        if (entry.writeTarget() != null) {
            return new NotReversible(Why.NO_RENAME, entry.requestId() + " is the hold of a writer");
        }
        if (!entry.state().isFinal() && entry.decision() == null) {
            return new NotReversible(Why.NOT_DECIDED, "it is not decided yet, and can be cancelled");
        }
        Optional<Decision> decision = entry.decided();
        if (request == null || decision.isEmpty()) {
            return new NotReversible(Why.NOT_COMPLETED, "it has ended without an effect");
        }
        if (!decision.get().removals().isEmpty()) {
            return new NotReversible(Why.REPLACED, "what it has replaced at " + request.destination() + " is gone");
        }
        String from = request.destination();
        String to = request.source();
        return new Possible(new RenameRequest(
                        requestId(entry.requestId(), journal),
                        request.namespace(),
                        from,
                        to,
                        OnExisting.FAIL,
                        "undo of " + entry.requestId())
                .withSourceId(decision.get().ownId()));
    }

    /** Returns the id of the first undo that has not ended without an effect. */
    private static String requestId(String requestId, Function<String, Optional<JournalEntry>> journal) {
        int number = 1;
        while (journal.apply(requestId(requestId, number))
                .filter(undo -> undo.state().isFinal() && undo.decision() == null)
                .isPresent()) {
            number++;
        }
        return requestId(requestId, number);
    }

    /**
     * Returns {@code undo-}, the request id and, from the second on, {@code ~} and the number; the hexadecimal SHA-256 of what follows
     * {@code undo-} where that is too long.
     */
    static String requestId(String requestId, int number) {
        String numbered = number == 1 ? requestId : requestId + "~" + number;
        String whole = "undo-" + numbered;
        return RequestIds.problem(whole).isEmpty() ? whole : "undo-" + sha256(numbered);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
