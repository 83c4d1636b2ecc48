package org.treerename.producer.reader;

/**
 * A path directly below another path. The path need not be a valid {@link org.treerename.path.TreePath}.
 *
 * @param documents the number of documents at the path; zero if all documents are below the path
 * @param below the number of documents below the path
 * @param directory whether there is a document below the path, or a document of a directory at the path
 */
public record Child(String path, long documents, long below, boolean directory) {}
