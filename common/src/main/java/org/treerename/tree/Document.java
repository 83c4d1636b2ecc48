package org.treerename.tree;

import org.jspecify.annotations.Nullable;
import org.treerename.store.Version;

/**
 * One document of the tree, as one read returned it.
 *
 * @param path the content of the path field, even if the content is not a valid path
 * @param source the complete source of the document, byte for byte
 */
public record Document(Ref ref, String path, RawJson source) {

    /**
     * The identity of a document, its routing, and the version that was read.
     *
     * @param external the version that another system assigned to the document; 0 if this version was not read
     */
    public record Ref(String index, String id, @Nullable String routing, Version version, long external) {

        /** Creates a reference to a document whose version Elasticsearch assigned. */
        public Ref(String index, String id, @Nullable String routing, Version version) {
            this(index, id, routing, version, 0);
        }

        /** Returns whether this reference and the other reference name the same document. The versions may differ. */
        public boolean isOfSame(Ref other) {
            return index.equals(other.index) && id.equals(other.id);
        }
    }
}
