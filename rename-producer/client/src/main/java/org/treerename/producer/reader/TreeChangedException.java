package org.treerename.producer.reader;

/**
 * Thrown if renames were committed so often that no view showed one state of the tree. The caller may try again later.
 */
public final class TreeChangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TreeChangedException(String message) {
        super(message);
    }
}
