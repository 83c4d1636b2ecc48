package org.treerename.reader;

import org.jspecify.annotations.Nullable;
import org.treerename.rename.RawJson;

/**
 * One document of a tree, as it is when every committed rename has moved it.
 *
 * @param path where it is
 * @param source its contents, with the path fields as the rename writes them; of a listing only the fields that it needs
 */
public record TreeEntry(
        String path, String index, String id, @Nullable String routing, RawJson source) {}
