package org.treerename.process;

/** This process was fenced while it was at something: it stops where it stands and touches nothing. */
public final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FencedException(String what) {
        super("this process is fenced and leaves " + what + " as it stands");
    }
}
