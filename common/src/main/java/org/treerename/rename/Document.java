package org.treerename.rename;

import org.jspecify.annotations.Nullable;
import org.treerename.store.Version;

/**
 * One document of the tree, as one read saw it.
 *
 * @param path what its path field says, whatever that is
 * @param source everything that it says, byte for byte
 */
public record Document(Ref ref, String path, RawJson source) {

    /**
     * Which document, where it is routed, and in which version it was seen.
     *
     * @param external the version that another system gave it; 0 where that was not read
     */
    public record Ref(String index, String id, @Nullable String routing, Version version, long external) {

        /** One in a version that Elasticsearch gave it. */
        public Ref(String index, String id, @Nullable String routing, Version version) {
            this(index, id, routing, version, 0);
        }

        /** Returns whether both name the same document, also in different versions. */
        boolean isOfSame(Ref other) {
            return index.equals(other.index) && id.equals(other.id);
        }
    }
}
