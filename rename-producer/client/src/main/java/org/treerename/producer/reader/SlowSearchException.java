package org.treerename.producer.reader;

/** Thrown if Elasticsearch has stopped a search, because the search exceeded {@link SearchLimits#time}. */
public final class SlowSearchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SlowSearchException(String message) {
        super(message);
    }
}
