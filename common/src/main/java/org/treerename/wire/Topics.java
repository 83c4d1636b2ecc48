package org.treerename.wire;

/** The names of the topics. */
public final class Topics {

    /**
     * The requests. The broker sets the time stamps of the records (LogAppendTime), because they define the age of a
     * request.
     */
    public static final String REQUESTS = "rename.requests";

    /** The outcomes, keyed by request id. */
    public static final String OUTCOMES = "rename.outcomes";

    /** Copies of request records that no outcome can answer, or whose request would fail again for the same cause. */
    public static final String DEAD_LETTERS = "rename.requests-dlt";

    /** The progress of renames that move many documents, keyed by request id. Nothing depends on it. */
    public static final String PROGRESS = "rename.progress";

    private Topics() {}
}
