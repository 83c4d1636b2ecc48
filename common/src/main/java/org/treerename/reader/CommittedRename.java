package org.treerename.reader;

import java.util.List;
import java.util.Optional;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.store.Version;

/**
 * A rename that is decided and whose documents may still be on their way.
 *
 * @param replaced the documents at the destination that it removes
 * @param decidedIn its place in the order of all decisions
 */
public record CommittedRename(
        String requestId, TreePath source, TreePath destination, List<Replaced> replaced, Version decidedIn) {

    /** A document, by its concrete index and its id. */
    public record Replaced(String index, String id) {}

    public CommittedRename {
        replaced = List.copyOf(replaced);
    }

    /** Returns the rename of an entry; empty if it was not committed. */
    static Optional<CommittedRename> of(JournalEntry entry, Notation notation) {
        RenameRequest asked = entry.request();
        JournalEntry.Decision decision = entry.decision();
        Version decidedIn = entry.decidedIn();
        if (asked == null || decision == null || decidedIn == null) {
            return Optional.empty();
        }
        List<Replaced> replaced = decision.removals().stream()
                .map(ref -> new Replaced(ref.index(), ref.id()))
                .toList();
        return Optional.of(new CommittedRename(
                entry.requestId(),
                notation.path(asked.source()),
                notation.path(asked.destination()),
                replaced,
                decidedIn));
    }

    /** Returns whether a document at this path follows the rename. */
    boolean moves(String path) {
        return path.equals(source.text()) || path.startsWith(source.prefixOfBelow());
    }

    /** Returns where a path at or below the source leads; any other stays. */
    public String followed(String path) {
        return moves(path) ? destination.text() + path.substring(source.text().length()) : path;
    }

    /** Returns which path leads to this one, which is at or below the destination. */
    String before(TreePath path) {
        return source.text() + path.text().substring(destination.text().length());
    }

    boolean changesNothing() {
        return source.equals(destination);
    }

    /** Returns whether the rename can concern the documents at or below a path. */
    boolean isRelatedTo(TreePath path) {
        return areRelated(source, path) || areRelated(destination, path);
    }

    boolean isRelatedTo(CommittedRename other) {
        return isRelatedTo(other.source) || isRelatedTo(other.destination);
    }

    /** Returns whether one of two paths is at or above the other. */
    static boolean areRelated(TreePath one, TreePath other) {
        return one.isAtOrBelow(other) || other.isBelow(one);
    }

    @Override
    public String toString() {
        return "rename " + requestId + " of " + source + " to " + destination;
    }
}
