package org.treerename.reader;

/** Thrown if so many renames were committed that no view showed one state of the tree. The caller may try again later. */
public final class TreeChangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TreeChangedException(String message) {
        super(message);
    }
}
