package org.treerename.checker;

import org.jspecify.annotations.Nullable;

/**
 * One document of a tree, without the place at which it stands.
 *
 * @param id its index and its id in it, which no rename changes
 * @param directory whether it is a directory
 * @param digest of everything in it but the path fields
 * @param routing null where it has none
 */
public record TreeDocument(
        String id,
        boolean directory,
        String digest,
        @Nullable String routing) {}
