package org.treerename.producer.reader;

/** The documents that a query returns, relative to the path of the query. */
public enum Reach {
    /** The documents at the path. */
    EXACTLY,
    /**
     * The documents one segment below the path. A region may have this reach only if the path field contains the
     * directory.
     */
    DIRECTLY_BELOW,
    /** All documents below the path. */
    BELOW,
    /** The documents at the path, and all documents below the path. */
    AT_OR_BELOW
}
