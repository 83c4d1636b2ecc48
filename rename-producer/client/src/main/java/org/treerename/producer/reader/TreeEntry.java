package org.treerename.producer.reader;

import org.jspecify.annotations.Nullable;
import org.treerename.tree.RawJson;

/**
 * One document of a tree, after all committed renames.
 *
 * @param path the logical path of the document
 * @param source the contents of the document. If a rename of the view moves the document, the path fields contain the
 *     new path
 */
public record TreeEntry(
        String path, String index, String id, @Nullable String routing, RawJson source) {}
