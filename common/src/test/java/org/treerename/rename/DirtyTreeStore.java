package org.treerename.rename;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.path.Namespace;
import org.treerename.path.Path;

/** A tree store that finds no single document, as a copy shows it that is cut off and has deletions of its own. */
record DirtyTreeStore(TreeStore tree) implements TreeStore {

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return tree.move(namespace, moves);
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
    public Scan scan(Namespace namespace, Path path, Reach reach) {
        return tree.scan(namespace, path, reach);
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return Optional.empty();
    }

    @Override
    public List<Written> remove(List<Document.Ref> refs) {
        return tree.remove(refs);
    }
}
