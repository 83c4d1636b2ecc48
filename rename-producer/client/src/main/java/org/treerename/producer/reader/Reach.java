package org.treerename.producer.reader;

/** The documents, relative to a path, that a question concerns. */
public enum Reach {
    /** The documents at the path. */
    EXACTLY,
    /** The documents one segment below the path. A region may have this reach only if the path field contains the directory. */
    DIRECTLY_BELOW,
    /** All documents below the path. */
    BELOW,
    /** The documents at the path, and all documents below it. */
    AT_OR_BELOW
}
