package org.treerename.checker;

import org.jspecify.annotations.Nullable;

/**
 * One document of a tree, without its path.
 *
 * @param id the index of the document, and the document id in this index; no rename changes the id
 * @param directory whether the document is a directory
 * @param digest the digest of all fields except the path fields
 * @param routing the routing of the document; null if the document has none
 */
public record TreeDocument(
        String id,
        boolean directory,
        String digest,
        @Nullable String routing) {}
