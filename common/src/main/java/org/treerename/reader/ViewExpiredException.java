package org.treerename.reader;

/** Thrown if a view was not used for too long, so that Elasticsearch has closed its point in time. */
public final class ViewExpiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ViewExpiredException(String message) {
        super(message);
    }
}
