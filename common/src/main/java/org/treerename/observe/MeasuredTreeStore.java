package org.treerename.observe;

import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.tree.ForwardingMoveStream;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.TreeStore;

/** Counts the moves of documents by result. */
record MeasuredTreeStore(TreeStore tree, Meters meters) implements ForwardingTreeStore {

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return counted(tree.move(namespace, moves));
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return new Counted(tree.moves(namespace), this);
    }

    private record Counted(MoveStream stream, MeasuredTreeStore store) implements ForwardingMoveStream {

        @Override
        public List<MoveResult> send(List<Move> moves) {
            return store.countedResults(stream.send(moves));
        }

        @Override
        public List<MoveResult> finish() {
            return store.countedResults(stream.finish());
        }
    }

    /**
     * Counts the results, and returns all of them. Does not count the results of a request without an answer, because
     * the state of the documents of this request is unknown.
     */
    private List<MoveResult> countedResults(List<MoveResult> results) {
        results.stream().filter(result -> result.silence() == null).forEach(result -> counted(result.written()));
        return results;
    }

    private List<Written> counted(List<Written> written) {
        for (Written result : written) {
            meters.count(
                    Metric.DOCUMENTS,
                    switch (result) {
                        case Written.Done done -> "moved";
                        case Written.Unknown unknown -> "unknown";
                        case Written.Refused refused -> "refused";
                    });
        }
        return written;
    }
}
