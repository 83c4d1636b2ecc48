package org.treerename.process;

/**
 * Reports that this process was fenced during an operation. The process stops the operation at once and writes nothing
 * more.
 */
public final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param unfinished the operation that this process does not finish, or the object of this operation
     */
    public FencedException(String unfinished) {
        super("this process is fenced and stops; not finished: " + unfinished);
    }
}
