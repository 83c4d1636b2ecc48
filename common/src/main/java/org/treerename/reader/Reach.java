package org.treerename.reader;

/** Which documents a question about a path is about. */
public enum Reach {
    /** Those at the path. */
    EXACTLY,
    /** Those one segment below the path. Only where documents say in which directory they are. */
    DIRECTLY_BELOW,
    /** All below the path. */
    BELOW,
    AT_OR_BELOW
}
