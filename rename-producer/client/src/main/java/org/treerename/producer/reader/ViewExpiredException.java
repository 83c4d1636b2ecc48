package org.treerename.producer.reader;

/** Thrown if Elasticsearch has closed the point in time of a view, because the view was not used for too long. */
public final class ViewExpiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ViewExpiredException(String message) {
        super(message);
    }
}
