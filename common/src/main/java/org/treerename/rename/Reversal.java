package org.treerename.rename;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.treerename.rename.Asked.RenameRequest;
import org.treerename.rename.JournalEntry.Decision;

/**
 * How a rename is undone: by another one, from its destination to its source, that comes after it. What somebody has put there
 * meanwhile goes with it, and where the source is taken again, or the destination has moved on, it is rejected like any other.
 */
public sealed interface Reversal {

    /**
     * By this request, which is to come after the rename. Its id follows from the rename's: asked twice, it is done once.
     */
    record Possible(RenameRequest request) implements Reversal {}

    /** Not at all. */
    record NotReversible(Why why, String message) implements Reversal {}

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
     */
    static Reversal of(JournalEntry entry) {
        RenameRequest request = entry.request();
        if (entry.writing() != null) {
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
                requestId(entry.requestId()),
                request.namespace(),
                from,
                to,
                OnExisting.FAIL,
                "undo of " + entry.requestId()));
    }

    /** {@code undo-} and the request id, or the hexadecimal SHA-256 of its UTF-8 where that is too long for one. */
    static String requestId(String requestId) {
        String whole = "undo-" + requestId;
        return RequestIds.problem(whole).isEmpty() ? whole : "undo-" + sha256(requestId);
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
