package org.treerename.producer.reader;

import org.jspecify.annotations.Nullable;
import org.treerename.tree.RawJson;

/**
 * One document of a tree, after all committed renames.
 *
 * @param path the logical path of the document
 * @param source the contents of the document, with the path fields that the rename writes
 */
public record TreeEntry(
        String path, String index, String id, @Nullable String routing, RawJson source) {}
