package org.treerename.metrics;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.Document;
import org.treerename.rename.Facts;
import org.treerename.rename.Rename;
import org.treerename.rename.TreeStore;

/** Counts the documents that are moved. */
record MeasuredTreeStore(TreeStore tree, Meters meters) implements TreeStore {

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

    @Override
    public Scan scan(Namespace namespace, Path path, Reach reach) {
        return tree.scan(namespace, path, reach);
    }

    @Override
    public List<Written> remove(List<Document.Ref> refs) {
        return tree.remove(refs);
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        return tree.indices(namespace);
    }

    @Override
    public Facts examine(Rename rename) {
        return tree.examine(rename);
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return tree.read(namespace, ref);
    }
}
