package org.treerename.tree;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;

/**
 * Reads, moves and deletes the documents of trees. These documents belong to the user. Each method throws {@link
 * org.treerename.store.NoAnswerException} if a read is incomplete or a write gets no answer.
 */
public interface TreeStore {

    /** The documents that a scan finds, relative to the path of the scan. */
    enum Reach {
        /** The documents at the path itself. */
        AT,
        AT_OR_BELOW
    }

    /**
     * One document and its new path.
     *
     * @param to the new path
     * @param follow the function that returns the new text for each text in a reference field or prefixed field of the
     *     document
     */
    record Move(Document document, String to, UnaryOperator<String> follow, Condition condition) {

        /**
         * Creates a move whose condition is {@link Condition.AsRead}. The reference fields and prefixed fields of the
         * document do not change.
         */
        public Move(Document document, String to) {
            this(document, to, UnaryOperator.identity(), new Condition.AsRead());
        }
    }

    /** One document to delete. */
    record Removal(Document.Ref ref, Condition condition) {

        /** Creates a removal whose condition is {@link Condition.AsRead}. */
        public Removal(Document.Ref ref) {
            this(ref, new Condition.AsRead());
        }
    }

    /** The result of the write of one document: done, refused for ever, or unknown. */
    sealed interface Written {

        record Done() implements Written {}

        /**
         * The condition is not met, or the store requested another try. The path of the document is unknown.
         *
         * @param isConflict whether the condition is not met
         */
        record Unknown(String why, boolean isConflict) implements Written {

            public Unknown(String why) {
                this(why, false);
            }
        }

        /** The store will never accept the write. */
        record Refused(String why) implements Written {}
    }

    /**
     * A complete read of a part of a tree by strict searches, as the protocol defines them. A scan shows the tree at
     * the moment when the scan was opened. Only one thread calls this interface.
     */
    interface Scan extends AutoCloseable {

        /**
         * Returns the next documents, in no particular order, at most as many as one request may move. Returns an empty
         * list at the end.
         */
        List<Document> nextPage();

        /** Releases the resources of the scan. A second call has no effect. */
        @Override
        void close();
    }

    /** Returns the uuid of each concrete index of the namespace, by the name of the index. */
    Map<String, String> indices(Namespace namespace);

    /**
     * Reads the documents that the checks of a rename need. The refresh that makes these documents visible begins after
     * the start of the call.
     */
    TreeSnapshot examine(Rename rename);

    /**
     * Opens a scan of the current documents. The refresh that makes these documents visible begins after the start of
     * the call.
     */
    Scan scan(Namespace namespace, TreePath path, Reach reach);

    /**
     * Opens a scan of the documents at and below the source, at the node that read the snapshot. The scan shows at
     * least the writes that were acknowledged before the call of {@link #examine}, so no further refresh is needed.
     */
    Scan open(Rename rename, TreeSnapshot snapshot);

    /** Opens a stream of moves. By default, the stream sends one request at a time. */
    default MoveStream moves(Namespace namespace) {
        return new SerialMoveStream(this, namespace);
    }

    /**
     * Writes the new paths of all moves whose conditions are met, in one request. Returns one result for each move, in
     * order. A move with the condition {@link Condition.AsRead} does not create a deleted document again. A move with
     * the condition {@link Condition.Above} may create a deleted document again, unless the version of the deletion is
     * too new for the move. The store keeps the version of a deletion only for a limited time. After this time, such a
     * move always creates the document again.
     */
    List<Written> move(Namespace namespace, List<Move> moves);

    /** Reads the current document in real time; empty if the document does not exist. */
    Optional<Document> read(Namespace namespace, Document.Ref ref);

    /** Deletes the documents whose conditions are met. Returns one result for each removal, in order. */
    List<Written> remove(List<Removal> removals);
}
