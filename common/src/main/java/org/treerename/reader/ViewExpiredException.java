package org.treerename.reader;

/** A view was kept for too long without a question: Elasticsearch has closed its point in time. */
public final class ViewExpiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ViewExpiredException(String message) {
        super(message);
    }
}
