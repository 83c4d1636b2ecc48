package org.treerename.process;

/**
 * Reports that this process was fenced during an operation. The process stops the operation at once and writes nothing
 * more.
 */
public final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param unchanged the name of the object that this process leaves unchanged
     */
    public FencedException(String unchanged) {
        super("this process is fenced; it stops and leaves " + unchanged + " unchanged");
    }
}
