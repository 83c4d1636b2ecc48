package org.treerename.tree;

import java.util.Optional;
import org.treerename.namespace.Namespace;

/**
 * A tree store in which a read of a single document finds nothing. This can happen on a shard copy that is cut off and
 * contains deletions that no other copy has.
 */
public record DirtyTreeStore(TreeStore tree) implements ForwardingTreeStore {

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return Optional.empty();
    }
}
