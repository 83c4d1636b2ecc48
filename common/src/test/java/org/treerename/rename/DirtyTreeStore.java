package org.treerename.rename;

import java.util.Optional;
import org.treerename.path.Namespace;

/** A tree store that finds no single document, as a copy shows it that is cut off and has deletions of its own. */
record DirtyTreeStore(TreeStore tree) implements ForwardingTreeStore {

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return Optional.empty();
    }
}
