package org.treerename.rename;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;

/**
 * The documents of the trees, which belong to the user. Any thread may call it. A read that is not complete, and a write
 * without an answer, end in {@link org.treerename.store.NoAnswerException}.
 */
public interface TreeStore {

    /** Which documents a scan finds. */
    enum Reach {
        /** Those at the path itself. */
        AT,
        AT_OR_BELOW
    }

    /**
     * One document and where it shall stand.
     *
     * @param follow where a path of the tree leads that one of its fields names
     */
    record Move(Document document, String to, UnaryOperator<String> follow, Condition condition) {

        /** One of a document as it was read, which leaves the paths alone that its fields name. */
        public Move(Document document, String to) {
            this(document, to, UnaryOperator.identity(), new Condition.AsRead());
        }
    }

    /** One document that shall be deleted. */
    record Removal(Document.Ref ref, Condition condition) {

        /** One of a document as it was read. */
        public Removal(Document.Ref ref) {
            this(ref, new Condition.AsRead());
        }
    }

    /** What became of one document's write. */
    sealed interface Written {

        record Done() implements Written {}

        /** Its condition does not hold, or the store asked to come again: where it stands is unknown. */
        record Unknown(String why) implements Written {}

        /** The store will never take it. */
        record Refused(String why) implements Written {}
    }

    /** A complete, strict reading of part of a tree as it was when the scan was opened. One thread calls it. */
    interface Scan extends AutoCloseable {

        /** Returns the next documents, in no promised order, as many as one request may move; an empty list at the end. */
        List<Document> nextPage();

        /** Releases what the scan holds. Another call does nothing. */
        @Override
        void close();
    }

    /** The uuid of each concrete index of the namespace by its name. */
    Map<String, String> indices(Namespace namespace);

    /** What stands around a rename. The refresh that makes it trustworthy begins after the call. */
    TreeSnapshot examine(Rename rename);

    /** Opens a scan of what stands there now. The refresh that makes it trustworthy begins after the call. */
    Scan scan(Namespace namespace, TreePath path, Reach reach);

    /**
     * Opens a scan of the documents at and below the source, at the node where the facts were seen. It shows at least what was acknowledged
     * before {@link #examine} was called, so no further refresh is needed.
     */
    Scan open(Rename rename, TreeSnapshot snapshot);

    /** Opens a stream of moves. */
    default MoveStream moves(Namespace namespace) {
        return new SerialMoveStream(this, namespace);
    }

    /**
     * Writes new paths into documents of which the condition holds, in one request; an answer for each, in order. A document that is gone is
     * not made again by a move as it was read; by one under a version of another system it is, unless it was deleted in a
     * version too new for it, which the store need not remember for long.
     */
    List<Written> move(Namespace namespace, List<Move> moves);

    /** The document now, read in real time; empty if it is gone. */
    Optional<Document> read(Namespace namespace, Document.Ref ref);

    /** Deletes documents of which the condition holds; an answer for each, in order. */
    List<Written> remove(List<Removal> removals);
}
