package org.treerename.producer.reader;

/**
 * A path directly below another path. The text {@code path} need not be a valid {@link org.treerename.path.TreePath}.
 *
 * @param documents the number of documents at the path; zero if all documents are below the path
 * @param below the number of documents below the path
 * @param directory whether the path is a directory: a document is below the path, or a document at the path is a
 *     directory
 */
public record Child(String path, long documents, long below, boolean directory) {}
