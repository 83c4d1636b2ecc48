package org.treerename.metrics;

import java.util.List;
import org.treerename.path.Namespace;
import org.treerename.rename.ForwardingTreeStore;
import org.treerename.rename.TreeStore;

/** Counts the documents that are moved. */
record MeasuredTreeStore(TreeStore tree, Meters meters) implements ForwardingTreeStore {

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        List<Written> written = tree.move(namespace, moves);
        for (Written one : written) {
            meters.count(
                    Metric.DOCUMENTS,
                    switch (one) {
                        case Written.Done done -> "moved";
                        case Written.Unknown unknown -> "unknown";
                        case Written.Refused refused -> "refused";
                    });
        }
        return written;
    }
}
