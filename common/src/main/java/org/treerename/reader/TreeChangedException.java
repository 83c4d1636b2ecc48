package org.treerename.reader;

/** The renames of a tree followed each other so fast that no view of it showed one state. The same question later may be answered. */
public final class TreeChangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TreeChangedException(String message) {
        super(message);
    }
}
