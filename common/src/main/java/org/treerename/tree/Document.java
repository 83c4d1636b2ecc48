package org.treerename.tree;

import org.jspecify.annotations.Nullable;
import org.treerename.store.Version;

/**
 * One document of the tree, as one read returned it.
 *
 * @param path the content of its path field, even if that is not a valid path
 * @param source its complete source, byte for byte
 */
public record Document(Ref ref, String path, RawJson source) {

    /**
     * The identity of a document, its routing, and the version that was read.
     *
     * @param external the version that another system gave it; 0 if that version was not read
     */
    public record Ref(String index, String id, @Nullable String routing, Version version, long external) {

        /** Creates a reference with a version that Elasticsearch gave. */
        public Ref(String index, String id, @Nullable String routing, Version version) {
            this(index, id, routing, version, 0);
        }

        /** Returns whether both references name the same document; their versions may differ. */
        public boolean isOfSame(Ref other) {
            return index.equals(other.index) && id.equals(other.id);
        }
    }
}
