package org.treerename.process;

/** The exception of an operation during which this process was fenced. The process stops the operation at once and writes nothing more. */
public final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param unchanged the name of the object that this process leaves unchanged
     */
    public FencedException(String unchanged) {
        super("this process is fenced; it stops and leaves " + unchanged + " unchanged");
    }
}
