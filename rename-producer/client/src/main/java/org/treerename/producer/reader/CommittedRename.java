package org.treerename.producer.reader;

import java.util.List;
import java.util.Optional;
import org.treerename.journal.Decision;
import org.treerename.journal.JournalEntry;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.store.Version;

/**
 * A decided rename. Some of its documents may not have moved yet.
 *
 * @param replaced the documents at the destination that the rename removes
 * @param decidedIn the position of the rename in the order of all commits
 */
public record CommittedRename(
        String requestId, TreePath source, TreePath destination, List<Replaced> replaced, Version decidedIn) {

    /** The concrete index and the id of a replaced document. */
    public record Replaced(String index, String id) {}

    public CommittedRename {
        replaced = List.copyOf(replaced);
    }

    /** Returns the rename of a journal entry; empty if the rename was not committed. */
    static Optional<CommittedRename> of(JournalEntry entry, Notation notation) {
        RenameRequest request = entry.request();
        Decision decision = entry.decided().orElse(null);
        Version decidedIn = entry.decidedIn();
        if (request == null || decision == null || decidedIn == null) {
            return Optional.empty();
        }
        List<Replaced> replaced = decision.removals().stream()
                .map(ref -> new Replaced(ref.index(), ref.id()))
                .toList();
        return Optional.of(new CommittedRename(
                entry.requestId(),
                notation.path(request.source()),
                notation.path(request.destination()),
                replaced,
                decidedIn));
    }

    /** Returns whether the rename moves a document at this path. */
    boolean moves(String path) {
        return path.equals(source.text()) || path.startsWith(source.prefixOfBelow());
    }

    /** Returns the new path of a document at or below the source. Returns every other path unchanged. */
    public String followed(String path) {
        return moves(path) ? destination.text() + path.substring(source.text().length()) : path;
    }

    /** Returns the former path of a document at or below the destination. */
    String before(TreePath path) {
        return source.text() + path.text().substring(destination.text().length());
    }

    boolean changesNothing() {
        return source.equals(destination);
    }

    /** Returns whether the rename can affect documents at or below a path. */
    boolean isRelatedTo(TreePath path) {
        return areRelated(source, path) || areRelated(destination, path);
    }

    boolean isRelatedTo(CommittedRename other) {
        return isRelatedTo(other.source) || isRelatedTo(other.destination);
    }

    /** Returns whether one of two paths is at or above the other path. */
    static boolean areRelated(TreePath one, TreePath other) {
        return one.isAtOrBelow(other) || other.isBelow(one);
    }

    @Override
    public String toString() {
        return "rename " + requestId + " of " + source + " to " + destination;
    }
}
