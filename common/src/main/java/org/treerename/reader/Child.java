package org.treerename.reader;

/**
 * A path directly below another one. It need not be a {@link org.treerename.path.TreePath}.
 *
 * @param documents at it; none where only documents below it show that it is there
 * @param below how many documents are below it
 * @param directory whether a document is below it, or a directory's document at it
 */
public record Child(String path, long documents, long below, boolean directory) {}
